/** A YAML file of rules as text, in; rules, or what is wrong with file, line and key, out. */
import { GantryError } from '../../core/errors.ts'
import { issueWords } from '../../core/text/issue-words.ts'
import { exampleProblems, type RuleProblem } from './examples.ts'
import { compileRule, type Rule } from './rule.ts'

export async function parseRules(
  text: string,
  file: string,
  { isProject = false }: { readonly isProject?: boolean } = {},
): Promise<Rule[]> {
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const { rulesFileSchema } = await import('./rule-schema.ts')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
  })
  const lineAt = (offset: number) => lines.linePos(offset).line
  const broken = document.errors[0]
  if (broken) {
    throw new GantryError('BAD_CONFIG', `${file}:${lineAt(broken.pos[0])}: not valid YAML: ${broken.message}`)
  }
  const result = rulesFileSchema.safeParse(document.toJS({ maxAliasCount: 10 }) ?? { rules: [] }, {
    error: issueWords,
  })
  if (result.success) {
    const rules = result.data.rules.map(compileRule)
    const wrong = rules.flatMap((rule, i) =>
      [...exampleProblems(rule), ...(isProject ? loosening(rule) : [])].map(({ path, why }) => {
        const at = ['rules', i, ...path]
        return `${file}:${lineOf(at)}: ${at.join('.')}: ${why}`
      }),
    )
    if (wrong.length === 0) return rules
    throw new GantryError('BAD_CONFIG', wrong.join('\n'), { details: wrong })
  }
  const problems = result.error.issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
    const why = issue.code === 'unrecognized_keys' ? 'no such key; see docs/rules.md' : issue.message
    return `${file}:${lineOf(path)}: ${path.join('.')}: ${why}`
  })
  throw new GantryError('BAD_CONFIG', problems.join('\n'), { details: problems })

  /** The line of the deepest part of the path that the document has. */
  function lineOf(path: readonly PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node: unknown = document.getIn(path.slice(0, depth), true)
      if (isNode(node) && node.range) return lineAt(node.range[0])
    }
    return 1
  }
}

/** What only the owner's own rules may do. */
function loosening({ text: { id, decision, input } }: Rule): RuleProblem[] {
  const what = decision === 'allow' ? 'approves' : input === undefined ? undefined : 'rewrites'
  if (what === undefined) return []
  const why = `rule "${id}" ${what}. Rules of a project may only deny, ask, add context and block a stop; put it into your own rules`
  return [{ path: [], why }]
}

/** Trusts the rules of a project, and ends that. */
import { approvalKey, call } from '../../client/index.ts'
import { projectAround } from '../../core/files/project.ts'
import { counted } from '../../core/text/text.ts'
import { parseProject, proofOf, readProject } from '../../decisions/rules/index.ts'
import { ask } from '../framework/ask.ts'
import type { Input } from '../framework/define.ts'
import { bold, green, isTerminal, out, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

/** Shows the rules of a project, and asks the person at the terminal. */
export async function trust({ args, places }: Input<typeof commands.rulesTrust>): Promise<number> {
  const root = projectOf(args.folder ?? process.cwd())
  const project = readProject(root)
  if (project === undefined) throw usageError(`${root} has no rules in .gantry/rules/*.yaml.`)
  const rules = await parseProject(project)
  for (const { path, text } of project.files) out(`${bold(plain(path))}\n${plainLines(text)}`)
  if (!isTerminal())
    throw usageError('A person has to agree, at a terminal. Run this in a terminal of your own.')
  const answer = await ask(
    `${bold(`Trust ${rules.length === 1 ? 'this rule' : `these ${counted(rules.length, 'rule')}`} as shown?`)} [y/N] `,
  )
  if (!/^y(es)?$/i.test(answer)) {
    out('Nothing was written.')
    return 1
  }
  const { hash } = project
  await call(places, 'rules.trust', { root, hash, proof: proofOf(approvalKey(places), root, hash) })
  out(`${green('✓')} The rules of ${plain(root)} apply as you have just read them.`)
  return 0
}

export async function untrust({ args, places }: Input<typeof commands.rulesUntrust>): Promise<number> {
  const root = projectOf(args.folder ?? process.cwd())
  await call(places, 'rules.untrust', { root })
  out(`The rules of ${plain(root)} do not apply any more.`)
  return 0
}

function projectOf(folder: string): string {
  const root = projectAround(folder)
  if (root === undefined) throw usageError(`${folder} is not in a git repository.`)
  return root
}

/** Control characters could hide a line from the reader. */
function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n')
}

/**
 * A rule: when it speaks (event types, agent, tool, patterns on fields) and what it says. Written in YAML by the user,
 * checked once when it is loaded, so that nothing can be wrong with it when a hook waits.
 */
import { z } from 'zod'
import type { HookEvent } from '../events/index.ts'

const DEFAULT_PRIORITY = 50
const MAX_MATCHED_CHARS = 64 * 1024 // a pattern looks at the beginning of a value, never at megabytes of it

const pattern = z.string().min(1).refine(isPattern, { error: 'not a valid regular expression' })

export const ruleSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an id is letters, digits, ".", "-" and "_"' }),
  priority: z.int().min(0).max(1000).default(DEFAULT_PRIORITY),
  on: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  agent: z.string().optional(),
  /** A name, or /pattern/. */
  tool: z
    .string()
    .min(1)
    .refine((text) => !isSlashed(text) || isPattern(text.slice(1, -1)), {
      error: 'not a valid regular expression',
    })
    .optional(),
  /** Dotted path in the canonical event → pattern. All must match. */
  match: z.record(z.string().min(1), pattern).default({}),
  decision: z.enum(['none', 'allow', 'deny', 'ask', 'block-stop']).default('none'),
  reason: z.string().optional(),
  /** Fields laid over the tool's input. */
  input: z.record(z.string(), z.unknown()).optional(),
  context: z.union([z.string(), z.array(z.string())]).optional(),
  systemMessage: z.string().optional(),
})

export const rulesFileSchema = z.strictObject({ rules: z.array(ruleSchema) })

export type RuleText = z.infer<typeof ruleSchema>

/** A rule ready to be asked. */
export interface Rule {
  readonly id: string
  readonly priority: number
  readonly text: RuleText
  readonly context: readonly string[]
  readonly types: ReadonlySet<string>
  applies(event: HookEvent): boolean
}

export function compileRule(text: RuleText): Rule {
  const types = new Set(typeof text.on === 'string' ? [text.on] : text.on)
  const isTool = text.tool === undefined ? undefined : toolTest(text.tool)
  const conditions = Object.entries(text.match).map(([path, source]) => {
    const steps = path.split('.')
    const regex = new RegExp(source)
    return (event: HookEvent) => regex.test(textAt(event, steps))
  })
  return {
    id: text.id,
    priority: text.priority,
    text,
    context: text.context === undefined ? [] : [text.context].flat(),
    types,
    applies: (event) =>
      (types.has(event.type) || types.has('*')) &&
      (text.agent === undefined || text.agent === event.agent) &&
      (isTool === undefined || isTool(event.tool?.name ?? '')) &&
      conditions.every((holds) => holds(event)),
  }
}

function toolTest(tool: string): (name: string) => boolean {
  if (!isSlashed(tool)) return (name) => name === tool
  const regex = new RegExp(tool.slice(1, -1))
  return (name) => regex.test(name)
}

/** The value at a path as text; what is not there is empty. */
function textAt(event: HookEvent, steps: readonly string[]): string {
  let value: unknown = event
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return ''
    value = (value as Record<string, unknown>)[step]
  }
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return text.length > MAX_MATCHED_CHARS ? text.slice(0, MAX_MATCHED_CHARS) : text
}

function isSlashed(text: string): boolean {
  return text.length > 2 && text.startsWith('/') && text.endsWith('/')
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

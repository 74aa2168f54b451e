/**
 * A rule: when it speaks (event types, agent, tool, patterns on fields) and what it says. Written in YAML by the user,
 * checked once when it is loaded, so that nothing can be wrong with it when a hook waits.
 */
import type { HookEvent } from '../events/index.ts'
import type { RuleText } from './rule-schema.ts'

const MAX_MATCHED_CHARS = 64 * 1024 // a pattern looks at the beginning of a value, never at megabytes of it

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

export function isSlashed(text: string): boolean {
  return text.length > 2 && text.startsWith('/') && text.endsWith('/')
}

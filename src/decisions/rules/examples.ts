/**
 * Examples inside of a rule, which hold it to what its author meant. A text is a shell command before it runs; an object is an
 * event, with `command` for the short form and `facts` for those of its session. A fact that is not given is as the rule
 * wants it, so most examples need none. They are meant in a project in somebody's home, on any machine.
 */
import { DEFAULT_AGENT, toolsThat } from '../../agents/facts.ts'
import type { HookEvent } from '../../events/index.ts'
import { ToolCalls } from '../tool-calls.ts'
import { whyNot } from './conditions.ts'
import { Facts, type Rule } from './rule.ts'
import type { Example } from './rule-schema.ts'
import { ASSUMED, type Fact, type World } from './world.ts'

export interface RuleProblem {
  /** The key inside of the rule. */
  readonly path: readonly (string | number)[]
  readonly why: string
}

const HOME = '/home/user'
const PROJECT = '/home/user/project'

export function exampleProblems(rule: Rule): RuleProblem[] {
  const { examples } = rule.text
  if (examples === undefined) return []
  const calls = new ToolCalls({
    home: HOME,
    rootOf: (folder) => (`${folder}/`.startsWith(`${PROJECT}/`) ? PROJECT : undefined),
    realpath: (path) => path,
  })
  return (['match', 'noMatch'] as const).flatMap((list) =>
    examples[list].flatMap((example, at) => {
      const why = problemOf(rule, example, list, calls)
      return why === undefined ? [] : [{ path: ['examples', list, at], why }]
    }),
  )
}

function problemOf(
  rule: Rule,
  example: Example,
  list: 'match' | 'noMatch',
  calls: ToolCalls,
): string | undefined {
  const { facts, ...given } = typeof example === 'string' ? { command: example, facts: undefined } : example
  const known = new Map(Object.entries((facts ?? {}) as Record<string, Fact>))
  const world: World = {
    call: (event) => calls.of(event),
    fact: (_, name) => (known.has(name) ? known.get(name) : ASSUMED),
  }
  const event = eventOf(rule, given)
  const asked = new Facts(event, world)
  const judgement = rule.judge(asked)
  if (judgement === (list === 'match' ? 'yes' : 'no')) return undefined
  const shown = `this example (${typeof example === 'string' ? example : JSON.stringify(example)})`
  if (judgement === 'no') return `the rule does not match ${shown}: ${whyNot(rule, asked)}`
  if (judgement === 'yes') return `the rule matches ${shown}`
  return list === 'noMatch' && rule.onUnknown === 'pass'
    ? undefined
    : `the rule cannot judge ${shown}: ${judgement.unknown}`
}

function eventOf(rule: Rule, { command, ...given }: Readonly<Record<string, unknown>>): HookEvent {
  const [type = ''] = rule.types
  const event: HookEvent = {
    id: 'example',
    seq: 0,
    at: 0,
    receivedAt: 0,
    agent: rule.text.agent ?? DEFAULT_AGENT,
    type: rule.types.has('PreToolUse') || rule.types.has('*') ? 'PreToolUse' : type,
    native: '',
    sessionId: 'example',
    cwd: PROJECT,
    client: { env: {} },
    transport: 'socket',
    raw: '{}',
    ...given,
  }
  return typeof command === 'string' ? withCommand(rule, event, command) : event
}

/** In the shell tool that the rule is about. */
function withCommand(rule: Rule, event: HookEvent, command: string): HookEvent {
  const called = (name: string): HookEvent => ({ ...event, tool: { name, input: { command } } })
  const [first = 'Bash', ...others] = toolsThat('shell')
  if (rule.text.tool === undefined) return called(first)
  return [first, ...others].map(called).find((one) => rule.isAboutTool(one)) ?? called(first)
}

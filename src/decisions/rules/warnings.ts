/** What a rule says that is allowed and yet cannot work: names that nobody has, and answers that no agent can be told. */
import { AGENT_NAMES } from '../../agents/facts.ts'
import { agentFor, agents } from '../../agents/index.ts'
import { firstNames, whichOf } from '../../core/text/closest.ts'
import type { HookEvent, Verdict } from '../../events/index.ts'
import { PHASES } from '../../sessions/state/index.ts'
import { agentWarning, toolWarning, typeWarning } from '../name-warnings.ts'
import type { RuleProblem } from './examples.ts'
import { textGlobs } from './glob.ts'
import { isSlashed, type Rule } from './rule.ts'
import type { RuleText, When } from './rule-schema.ts'
import { FACT_NAMES } from './world.ts'

/** Seen in payloads; agents may have others. */
const PERMISSION_MODES = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']

export function ruleWarnings({ text, types }: Rule): RuleProblem[] {
  const { agent, tool, when } = text
  return [
    ...[...types].flatMap((type) => about(['on'], typeWarning(type) ?? untold(text, type))),
    ...(agent === undefined ? [] : about(['agent'], agentWarning(agent))),
    ...(tool === undefined || isSlashed(tool) ? [] : about(['tool'], toolWarning(tool, agent))),
    ...(when === undefined ? [] : whenWarnings(when, ['when'])),
    ...exampleWarnings(text),
  ]
}

function about(path: RuleProblem['path'], why: string | undefined): RuleProblem[] {
  return why === undefined ? [] : [{ path, why }]
}

function whenWarnings({ any = [], not, ...when }: When, path: RuleProblem['path']): RuleProblem[] {
  const lists = [
    ['phase', PHASES],
    ['permissionMode', PERMISSION_MODES],
  ] as const
  return [
    ...lists.flatMap(([key, known]) =>
      [when[key] ?? []].flat().flatMap((glob) => about([...path, key], wordWarning(glob, known))),
    ),
    ...[when.agent ?? []].flat().flatMap((name) => about([...path, 'agent'], agentWarning(name))),
    ...any.flatMap((one, i) => whenWarnings(one, [...path, 'any', i])),
    ...(not ? whenWarnings(not, [...path, 'not']) : []),
  ]
}

function wordWarning(glob: string, known: readonly string[]): string | undefined {
  const matches = textGlobs(glob)
  if (known.some((word) => matches(word, { left: 10_000 }))) return undefined
  return `"${glob}" is none of ${firstNames(known)}`
}

function exampleWarnings({ examples }: RuleText): RuleProblem[] {
  return (['match', 'noMatch'] as const).flatMap((list) =>
    (examples?.[list] ?? []).flatMap((example, i) => {
      if (typeof example === 'string') return []
      const { facts, type } = example
      const path = ['examples', list, i]
      return [
        ...(typeof type === 'string' ? about([...path, 'type'], typeWarning(type)) : []),
        ...Object.keys(facts ?? {}).flatMap((name) => about([...path, 'facts', name], factWarning(name))),
      ]
    }),
  )
}

function factWarning(name: string): string | undefined {
  if ((FACT_NAMES as readonly string[]).includes(name)) return undefined
  return `there is no fact "${name}". ${whichOf(name, FACT_NAMES)}`
}

/** What of the rule no agent can be told at this event. */
function untold({ agent, decision, input, context }: RuleText, type: string): string | undefined {
  if (type === '*') return undefined
  const verdict: Verdict = { decision, ...(input ? { input } : {}), ...(context ? { context: ['x'] } : {}) }
  const whose = agent !== undefined && agents.has(agent) ? [agent] : AGENT_NAMES
  const lost = whose.map((one) => lostAt(one, type, verdict))
  const [first = []] = lost
  const words = first.filter((word) => lost.every((one) => one.includes(word)))
  if (words.length === 0) return undefined
  const hint = words.includes('deny') && /Stop$/.test(type) ? '. block-stop keeps a turn going' : ''
  return `${agent ?? 'no agent'} can${agent ? 'not' : ''} be told "${words.join('", "')}" at ${type}${hint}. docs/verdicts.md has what can be said, and when`
}

function lostAt(agent: string, type: string, verdict: Verdict): string[] {
  const { events, answer } = agentFor(agent)
  const native = Object.keys(events).find((name) => events[name]?.type === type) ?? type
  const event: HookEvent = {
    ...{ id: '', seq: 0, at: 0, receivedAt: 0, agent, type, native, sessionId: '', turnId: 'any' },
    ...{ client: { env: {} }, transport: 'socket', raw: '', tool: { name: '', input: {} } },
  }
  const lost = answer(event, verdict).degraded ?? []
  // An agent that cannot ask refuses.
  return lost.filter((word) => word !== 'ask' || answer(event, { decision: 'deny' }).degraded?.length)
}

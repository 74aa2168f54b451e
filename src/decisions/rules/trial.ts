/** What the rules would say to a payload or a command, and which of them spoke. Nothing is stored, and nobody is told. */
import { factsOf, toolsThat } from '../../agents/facts.ts'
import { agentFor } from '../../agents/index.ts'
import { type HookEvent, newId } from '../../events/index.ts'
import { readEvent } from '../../journal/index.ts'
import type { RuleTrial, RuleTrialArgs } from '../../rpc/index.ts'
import type { Policy } from './index.ts'

type Asked = RuleTrial['rules'][number]

export function tryRules(policy: Policy, args: RuleTrialArgs): RuleTrial {
  const event = eventOf(args)
  const rules: Asked[] = []
  const verdict = policy.evaluate(event, {
    world: policy.world,
    told: ({ id }, judgement) => {
      if (judgement === 'yes') rules.push({ id, judged: 'matched' })
      else if (judgement === 'no') rules.push({ id, judged: 'not matched' })
      else rules.push({ id, judged: 'not understood', why: judgement.unknown })
    },
  })
  return { type: event.type, verdict, rules, ...agentFor(event.agent).answer(event, verdict) }
}

function eventOf({ agent, payload, command, cwd }: RuleTrialArgs): HookEvent {
  const now = Date.now()
  const event = readEvent({
    id: newId(),
    at: now,
    receivedAt: now,
    agent,
    ...(command === undefined ? {} : { event: 'PreToolUse' }),
    client: { env: {} },
    transport: 'socket',
    raw: JSON.stringify(payload ?? {}),
  })
  if (command === undefined) return event
  const [name = 'Bash'] = factsOf(agent).tools?.shell ?? toolsThat('shell')
  return {
    ...event,
    type: 'PreToolUse',
    ...(cwd === undefined ? {} : { cwd }),
    tool: { name, input: { command } },
  }
}

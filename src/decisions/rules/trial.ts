/** The verdict of rules and guards on a payload or a command, and which of them matched. Nothing is stored or published. */
import { factsOf, toolsThat } from '../../agents/facts.ts'
import { agentFor } from '../../agents/index.ts'
import { homeOf, type Places } from '../../core/files/paths.ts'
import { projectAround } from '../../core/files/project.ts'
import { type HookEvent, mergeVerdicts, newId } from '../../events/index.ts'
import { readEvent } from '../../journal/index.ts'
import type { RuleTrial, RuleTrialArgs } from '../../rpc/index.ts'
import type { GuardSettings } from '../guards/config.ts'
import { Guards } from '../guards/service.ts'
import { ToolCalls } from '../tool-calls.ts'
import { whyNot } from './conditions.ts'
import { Policy, rewritten } from './index.ts'
import { filesAt, loadPolicy, rulesIn } from './rule-files.ts'
import { worldOf } from './world.ts'

type Asked = RuleTrial['rules'][number]

interface TrialParts {
  readonly policy: Policy
  readonly guards: Pick<Guards, 'try'>
}

/** Without a daemon: the rules and settings of the files, or the rules of a draft, and the repository around each folder. */
export async function partsOfFiles(
  places: Places,
  settings: GuardSettings,
  key: () => string,
  draft?: string,
): Promise<TrialParts> {
  const home = homeOf()
  const calls = new ToolCalls({ home, rootOf: projectAround })
  const world = worldOf({ calls })
  const policy =
    draft === undefined
      ? await loadPolicy(places.rules, key, world)
      : new Policy(await rulesIn(filesAt(draft)), world)
  const silent = { count() {}, log: { info() {} } }
  return { policy, guards: new Guards({ settings: () => settings, places, home, calls, ...silent }) }
}

export function tryRules({ policy, guards: allGuards }: TrialParts, args: RuleTrialArgs): RuleTrial {
  const event = eventOf(args)
  const rules: Asked[] = []
  const ruled = policy.evaluate(event, {
    world: policy.world,
    told: (rule, judgement, _, __, facts) => {
      const { id } = rule
      if (judgement === 'yes') rules.push({ id, judged: 'matched' })
      else if (judgement === 'no') rules.push({ id, judged: 'not matched', why: whyNot(rule, facts) })
      else rules.push({ id, judged: 'not understood', why: judgement.unknown })
    },
  })
  const { verdict: guarded, guards } = allGuards.try(rewritten(event, ruled))
  const verdict = mergeVerdicts(ruled, guarded)
  return { type: event.type, verdict, rules, guards, ...agentFor(event.agent).answer(event, verdict) }
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
    turnId: event.id, // of an agent as it is today: what reports no turn counts as an old one
    ...(cwd === undefined ? {} : { cwd }),
    tool: { name, input: { command } },
  }
}

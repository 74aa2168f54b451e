/** The journal beside the daemon, for rehearsals: read-only, at low priority. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AnsweredThen,
  approvalKey,
  type DraftProblem,
  type Rehearsal,
  type RehearsalReport,
  type WhyView,
} from '../../client/index.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import { homeOf, type Places } from '../../core/files/paths.ts'
import { yieldToAgents } from '../../core/processes/priority.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { loadConfig } from '../../daemon/config/config.ts'
import type { GuardSettings } from '../../decisions/guards/config.ts'
import type { Preset } from '../../decisions/guards/index.ts'
import { filesAt, loadPolicy, rulesIn } from '../../decisions/index.ts'
import {
  answeredThen,
  Draft,
  why as reasonsOf,
  replay as replayed,
  storedEvent,
} from '../../decisions/rehearse/index.ts'
import { parseRules, type Rule, trustFile } from '../../decisions/rules/index.ts'
import type { RehearseTask } from '../../journal/query-process.ts'
import { type EventReader, openEventReader } from '../../store/index.ts'
import type { Progress } from '../framework/progress.ts'

/** `which` is an event's id, or its sequence number. */
export async function whyOf(places: Places, which: string): Promise<WhyView> {
  return withJournal(places, async (reader) => {
    const wanted = /^\d{1,15}$/.test(which) ? reader.idAt(Number(which)) : which
    const event = wanted === undefined ? undefined : storedEvent(reader, wanted)
    if (!event) throw new GantryError('VALIDATION_ERROR', `There is no event ${which} in the journal.`)
    const { draft, guards, changedAt } = await draftOf(places)
    const reasons = await reasonsOf(draft, guards, event)
    draft.close()
    const answered = answeredThen(reader, event)
    const changed = changeSince(event.receivedAt, changedAt, reasons.verdict.decision, answered)
    const { id, at, agent, type, sessionId, tool, prompt } = event
    return {
      ...{ id, at, agent, type, sessionId },
      ...withoutUndefined({ tool, prompt }),
      ...reasons,
      ...withoutUndefined({ answered, changed }),
    }
  })
}

const PART_MS = 3_000 // then the page tells how far it came, and asks for the rest
const NO_GUARDS: GuardSettings = { preset: 'off', one_strike: false, modes: {} }

/** A draft of a file: what is wrong with it, else what it alone would have answered. Nothing is saved. */
export async function rehearsed(places: Places, { text, since, after }: RehearseTask): Promise<Rehearsal> {
  const file = join(places.rules, DRAFT)
  let rules: Rule[]
  try {
    rules = await parseRules(text, DRAFT)
  } catch (error) {
    return { problems: messageOf(error).split('\n').map(placed), warnings: [], rules: [], file }
  }
  const good = {
    ...{ problems: [], file, rules: rules.map(({ id }) => id) },
    warnings: rules.flatMap(({ warnings = [] }) => warnings).map(placed),
  }
  if (since === undefined) return good
  return withJournal(places, async (reader) => {
    const draft = new Draft({ rules, guards: NO_GUARDS, places, home: homeOf() })
    let part = { first: 0, last: 0 }
    const report = await replayed(reader, draft, {
      ...{ since, forMs: PART_MS, ...withoutUndefined({ after }) },
      stopped: (at) => {
        part = at
      },
    })
    draft.close()
    return { ...good, part: { report, ...part } }
  })
}

const DRAFT = 'draft.yaml'

/** `draft.yaml:3: rules.0.on: …` */
function placed(problem: string): DraftProblem {
  const [, line, text] = /^draft\.yaml:(\d+): (.*)$/s.exec(problem) ?? []
  return { line: Number(line ?? 1), text: text ?? problem }
}

/** Why today's verdict need not be that of the time. */
function changeSince(
  at: number,
  changedAt: number,
  decision: string,
  answered: AnsweredThen | undefined,
): string | undefined {
  if (changedAt > at) return 'Rules or settings changed after this event.'
  if (decision === (answered?.decision ?? 'none')) return undefined
  if (answered?.person !== undefined) return 'A person was asked.'
  return 'A handler or the work engine answered, or a fact of that time is not in the journal.'
}

/** On the stdin of a second process. */
export interface ReplayTask {
  readonly places: Places
  readonly since: number
  readonly rules?: string | undefined
  readonly preset?: Preset | undefined
}

export async function replayPart(
  { places, since, rules, preset }: ReplayTask,
  half: 0 | 1 | undefined,
  progress?: Progress['at'],
): Promise<RehearsalReport> {
  return withJournal(places, async (reader) => {
    const { draft } = await draftOf(places, rules, preset)
    const options = { ...(half === undefined ? {} : { half }), ...(progress ? { progress } : {}) }
    const report = await replayed(reader, draft, { since, ...options })
    draft.close()
    return report
  })
}

export async function withJournal<T>(places: Places, work: (reader: EventReader) => Promise<T>): Promise<T> {
  yieldToAgents()
  if (!existsSync(places.database))
    throw new GantryError('VALIDATION_ERROR', `There is no journal yet: ${places.database}`)
  const reader = openEventReader(places.database)
  try {
    return await work(reader)
  } finally {
    reader.close()
  }
}

/** The rules and guards in force, or others instead of them. */
async function draftOf(places: Places, path = places.rules, preset?: Preset) {
  const { config } = await loadConfig(places.configFile)
  const chosen = preset === undefined ? config.guards : { ...config.guards, preset }
  const guards = preset === 'off' ? { ...chosen, modes: {} } : chosen
  const isInForce = path === places.rules
  const files = isInForce && !existsSync(path) ? [] : filesAt(path)
  const { rules, projects } =
    isInForce && existsSync(path)
      ? await loadPolicy(path, () => approvalKey(places))
      : { rules: await rulesIn(files), projects: new Map() }
  const draft = new Draft({ rules, projects, guards, places, home: homeOf() })
  const sources = [...files, trustFile(places.rules), places.configFile]
  const changedAt = Math.max(0, ...sources.filter(existsSync).map((file) => statSync(file).mtimeMs))
  return { draft, guards, changedAt }
}

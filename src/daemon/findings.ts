/** Problems the daemon knows about itself, each with a fix. */
import { agents } from '../agents/index.ts'
import { type SpoolLook, spoolFindings } from '../client/spool-look.ts'
import { age } from '../core/text/amount.ts'
import { closest } from '../core/text/closest.ts'
import { clock, counted, times } from '../core/text/text.ts'
import { VERSION } from '../core/version.ts'
import { missedReason, VERDICTS_DOC } from '../events/index.ts'
import type { Pipeline } from '../ingest/pipeline.ts'
import { NAMELESS } from '../ingest/replies.ts'
import type { Cleared } from '../ingest/spool-folder.ts'
import { acceptedIn, driftFindings, fixFor, isCovered, knownAgent } from '../insight/schema/findings.ts'
import type { Finding, HandlerStatus } from '../rpc/index.ts'
import type { BaselineRow, Counter, DriftRow, Store } from '../store/index.ts'

export interface FindingParts {
  readonly store: Store
  readonly pipeline: Pipeline
  readonly spool: SpoolLook
  readonly clientVersions: ReadonlySet<string>
  readonly notes: readonly Finding[]
  readonly handlers?: readonly HandlerStatus[]
  /** Errors of the files of warm handlers. */
  readonly handlerProblems?: readonly string[]
  readonly drifts?: readonly DriftRow[]
  /** Drift that nobody has accepted, with its current severity. */
  readonly openDrifts?: readonly DriftRow[]
  readonly baselines?: readonly BaselineRow[]
}

export function daemonFindings(parts: FindingParts): Finding[] {
  const found: Finding[] = [...parts.notes]
  const { fault, unstored } = parts.pipeline
  if (fault) {
    found.push({
      level: 'fail',
      about: 'journal',
      message: `events cannot be stored: ${fault}`,
      fix: 'Free disk space, or end the program that locks the database. Hook clients spool their events meanwhile, as long as there is room.',
    })
  } else if (unstored > 0) {
    found.push({
      level: 'warn',
      about: 'journal',
      message: `${counted(unstored, 'event')} could not be stored at once; the hook clients have kept what they sent`,
    })
  }
  found.push(...spoolFindings(parts.spool, 'If they stay, see the findings about the journal, and the log'))
  for (const version of parts.clientVersions) {
    if (version === VERSION) continue
    found.push({
      level: 'warn',
      about: 'client',
      message: `hooks run hook client ${version}, the daemon is ${VERSION}`,
      fix: 'Run: gantry install',
      kind: 'client version',
    })
  }
  found.push(...(parts.handlers ?? []).flatMap(handlerFinding))
  for (const message of parts.handlerProblems ?? [])
    found.push({
      level: 'fail',
      about: 'handler',
      message,
      fix: `Try the file with: gantry handlers test ${/^\/.+?\.m?[jt]s\b/.exec(message)?.[0] ?? '<file>'}`,
    })
  const { drifts = [], openDrifts = drifts, baselines = [] } = parts
  const isAccepted = acceptedIn(baselines)
  const counters = parts.store.counters
    .all()
    .filter((one) => one.kind !== 'unknown' || !(isCovered(drifts, one.key) || isAccepted(one)))
  return [...found, ...driftFindings(openDrifts), ...counters.flatMap(counterFinding)]
}

function handlerFinding({ id, kind, command, circuit, retryAt, lastError }: HandlerStatus): Finding[] {
  if (circuit === 'closed') return []
  const pause = circuit === 'open' ? `left alone until ${clock(retryAt ?? 0)}` : 'on trial'
  return [
    {
      level: 'warn',
      about: 'handler',
      message: `${id} failed three times in a row and is ${pause}: ${lastError ?? ''}`,
      fix:
        kind === 'file'
          ? `Try it with: gantry handlers test ${command}`
          : `Run its command by hand with an event on stdin, or: gantry bus unregister ${id}`,
    },
  ]
}

/** A user's own agent may have any name, but a name close to a known one is probably a typo. */
function strangerLine(agent: string, count: number, when: string): Finding {
  const close = closest(agent, [...agents.keys()])
  const many = count === 1 ? '1 hook came' : `${count.toLocaleString('en')} hooks came`
  const message = `${many} from the agent "${agent}", which gantry does not know (${when}); stored, and never answered`
  if (close === undefined) return { level: 'ok', about: 'agents', message }
  const fix = `Did you mean ${close}? Look for "${agent}" in the commands of its hooks; it is: gantry-hook ${close} <Event>. gantry install ${close} writes them`
  return { level: 'warn', about: 'agents', message, fix }
}

function missedLine(key: string, count: number, when: string): Finding {
  const { about, says, fix } = missedReason(key)
  const message = `${about}: ${counted(count, 'decision')} missed (${when}): ${says}`
  return { level: 'warn', about: 'policy', message, fix }
}

const SPOOL_WORDS: Readonly<Record<string, string>> = {
  'draft removed': 'half-written files of killed hook clients, removed',
  'draft taken': 'events of hook clients killed at the last moment, recovered',
  'no event, set aside': 'invalid files in the spool, set aside',
  'no event, removed': 'invalid files in the spool, removed because there were too many',
} satisfies Record<Cleared, string>

function counterFinding(counter: Counter): Finding[] {
  const { kind, key, count, firstAt, lastAt } = counter
  const group =
    kind === 'unknown' || kind === 'missed'
      ? `${kind} ${knownAgent(key.split(' ', 1)[0])}${kind === 'missed' ? missedReason(key).reason : ''}`
      : kind
  return linesOf(counter).map((one) => ({ ...one, kind: group, seen: { count, firstAt, lastAt } }))
}

function linesOf({ kind, key, count, lastAt }: Counter): Finding[] {
  const when = `last ${age(Date.now() - lastAt)} ago`
  switch (kind) {
    case 'unknown':
      return [
        {
          level: 'warn',
          about: 'drift',
          message: `${key}: not known, seen ${times(count)} (${when}); kept in raw`,
          fix: fixFor(key.split(' ', 1)[0] ?? ''),
        },
      ]
    case 'cut':
      return [
        {
          level: 'warn',
          about: 'payload',
          message: `${key}: ${counted(count, 'payload')} over 8 MB cut (${when}); rules treat such a hook as not understood if its agent waits, and handlers do not run`,
          ...(key.endsWith(NAMELESS)
            ? {
                fix: "Name the event in the hook's command, as gantry install does: gantry-hook claude PreToolUse. The format of an answer depends on the event",
              }
            : {}),
        },
      ]
    case 'unreadable':
      return [
        {
          level: 'warn',
          about: 'payload',
          message: `${key}: ${counted(count, 'payload')} could not be read: not a JSON object, or no event name (${when}); stored as it came`,
          fix: 'Look at what was sent: gantry events --type Unreadable --json',
        },
      ]
    case 'sessionless':
      return [
        {
          level: 'warn',
          about: 'payload',
          message: `${key}: ${counted(count, 'payload')} without a session id (${when}); stored, but no session shows it`,
          fix: `Make the sender pass on the agent's whole JSON. Look: gantry query "SELECT seq, raw FROM events WHERE session_id = ''"`,
        },
      ]
    case 'stranger':
      return [strangerLine(key, count, when)]
    case 'missed':
      return [missedLine(key, count, when)]
    case 'removed':
      return [
        {
          level: 'warn',
          about: 'journal',
          message: `${key} was removed or replaced while the daemon ran, ${times(count)} (${when}); what it had was saved`,
          fix: 'Find out who removes it. To start with an empty journal: gantry down, then remove gantry.db',
        },
      ]
    case 'broken':
      return [
        {
          level: 'warn',
          about: 'journal',
          message: `the database was broken or cut short while the daemon ran (${when}); ${key}`,
          fix: 'Find out what else wrote to gantry.db, and check the disk; only gantry may write there',
        },
      ]
    case 'stuck':
      return [
        {
          level: 'warn',
          about: 'daemon',
          message: `it did not answer in time, and agents continued without it, ${times(count)} (${when})`,
          fix: 'Look for the cause on the machine and in its log: less "$(gantry config path log)"',
        },
      ]
    case 'follower':
      return [
        {
          level: 'warn',
          about: 'followers',
          message: `after a commit failed ${times(count)}: ${key} (${when}); the events are stored and were answered`,
          fix: 'The log says why: less "$(gantry config path log)". If it continues: gantry down && gantry up',
        },
      ]
    case 'spool':
      return [
        {
          level: key.startsWith('draft') ? 'ok' : 'warn',
          about: 'spool',
          message: `${SPOOL_WORDS[key] ?? key}: ${count.toLocaleString('en')} (${when})`,
        },
      ]
    case 'approval-cut':
      return [
        {
          level: 'warn',
          about: 'approvals',
          message: `${key}: ${counted(count, 'hook')} ended by the agent while a person was asked (${when})`,
          fix: 'Wire its hooks again with: gantry install; or set approvals.wait_s lower than the timeout of its hook',
        },
      ]
    case 'dropped':
      return [
        {
          level: 'warn',
          about: 'handler',
          message: `${key}: ${counted(count, 'event')} came too fast and did not reach it (${when})`,
        },
      ]
    case 'garbled':
      return [
        {
          level: 'warn',
          about: 'handler',
          message: `${key}: ${counted(count, 'answer')} made no sense (${when})`,
          fix: 'It has to print one JSON object, or nothing: docs/handlers.md',
        },
      ]
    case 'inbound':
      return [
        {
          level: 'warn',
          about: 'inbound',
          message: `${key}: refused ${times(count)} (${when})`,
          fix: 'Compare the secret and the kind of signature with the sender: docs/webhooks.md',
        },
      ]
    case 'degraded':
      return [
        {
          level: 'warn',
          about: 'answer',
          message: `${key}: ${counted(count, 'verdict')} could not be expressed in full (${when})`,
          fix: VERDICTS_DOC,
        },
      ]
    default:
      return []
  }
}

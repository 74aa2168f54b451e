/** Drift as internal events and as rows. */
import { createHash } from 'node:crypto'
import { withoutUndefined } from '../../../core/without-undefined.ts'
import type { RawEvent } from '../../../events/index.ts'
import { raisedEvent } from '../../../journal/index.ts'
import type { Difference } from '../../../rpc/index.ts'
import type { DriftRow, PayloadRow } from '../../../store/index.ts'
import { differenceText } from './diff.ts'
import type { Drift, VersionChange } from './watch.ts'

const MAX_DIFFERENCES = 50 // in one event; "gantry schema diff" shows all
const ID_CHARS = 26

/** The event whose payload shows the drift. */
export type Cause = Pick<PayloadRow, 'id' | 'session' | 'cwd'>

/** The id is derived from the content, so drift found again after a crash is the same event. */
export function driftEvent(drift: Drift, key: string, cause: Cause, now: number): RawEvent {
  const { agent, version, event, tool, path, kind, severity, before, after } = drift
  const payload = {
    agent,
    version,
    event,
    tool,
    path,
    kind,
    severity,
    ...withoutUndefined({ before, after }),
    message: textOf(drift),
    ...factsOf(cause),
  }
  return { ...raisedEvent('SchemaDrift', payload, now), id: idOf('drift', key, cause.id) }
}

export function versionChanged(
  change: VersionChange,
  differences: readonly Difference[],
  cause: Cause,
  now: number,
): RawEvent {
  const { agent, from, to } = change
  const shown = differences.slice(0, MAX_DIFFERENCES)
  const payload = {
    ...change,
    differences: shown.map((one) => ({ ...one, message: differenceText(one) })),
    more: differences.length - shown.length,
    message: `${agent} ${to} was ${from} before: ${countText(differences)}`,
    ...factsOf(cause),
  }
  return {
    ...raisedEvent('AgentVersionChanged', payload, now),
    id: idOf('version', `${agent}\n${to}`, cause.id),
  }
}

/** Session and folder of the cause, so that whoever follows those sees the drift. */
function factsOf({ id, session, cwd }: Cause): Record<string, string> {
  return {
    cause: id,
    ...(session === '' ? {} : { session_id: session }),
    ...(cwd === '' ? {} : { cwd }),
  }
}

function idOf(what: string, key: string, cause: string): string {
  const hash = createHash('sha256').update(`${key}\n${cause}`).digest('hex')
  return `${what}-${hash.slice(0, ID_CHARS)}`
}

function countText(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'no difference is known yet'
  const breaking = differences.filter(({ severity }) => severity === 'breaking').length
  return `${differences.length} differences${breaking > 0 ? `, ${breaking} of them breaking` : ''}`
}

export function driftRow(drift: Drift, key: string, cause: string, now: number): DriftRow {
  const { agent, version, event, tool, path, kind, severity, before = null, after = null } = drift
  const about = { key, agent, version, event, tool, path, kind, severity }
  return { ...about, was: before, now: after, message: textOf(drift), cause, at: now, acceptedAt: null }
}

function textOf(drift: Drift): string {
  return `${[drift.agent, drift.version].filter(Boolean).join(' ')} ${differenceText(drift)}`
}

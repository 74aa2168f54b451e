/**
 * Judges differences by all payloads, not by the first one: a field that one payload lacks and a hundred others have is
 * optional, not gone. `gantry doctor` and `gantry schema diff` both use this, so they agree on what is breaking.
 */
import type { Difference, Severity } from '../../../rpc/index.ts'
import type { DriftRow } from '../../../store/index.ts'
import { differenceText, together } from './diff.ts'

const MAX_TOLD = 100 // of one agent; beyond it only the full comparison has the rest

/** Drift that nobody has accepted, with its current severity. */
export function judged(rows: readonly DriftRow[], now: readonly Difference[]): DriftRow[] {
  const found = new Map(now.map((one) => [keyOf(one, one.kind), one]))
  return rows
    .filter(({ acceptedAt }) => acceptedAt === null)
    .map((row) => {
      const same = found.get(keyOf(row, row.kind))
      const milder = row.kind === 'missing-field' ? found.get(keyOf(row, 'now-optional')) : undefined
      const stands = same ?? milder
      return stands ? asRow(row, stands) : row
    })
}

/** The same as differences. If an agent exceeds the limit of stored rows, the full comparison is added. */
export function openDifferences(
  rows: readonly DriftRow[],
  now: readonly Difference[],
  agent?: string,
): Difference[] {
  const open = judged(rows, now).filter((row) => agent === undefined || row.agent === agent)
  const counts = Map.groupBy(open, (row) => row.agent)
  const rest = now.filter((one) => (counts.get(one.agent)?.length ?? 0) >= MAX_TOLD)
  return together([open.map(differenceOf), rest])
}

function keyOf(one: Pick<Difference, 'agent' | 'event' | 'tool' | 'path'>, kind: string): string {
  return [one.agent, kind, one.event, one.tool, one.path].join('\n')
}

function asRow(row: DriftRow, one: Difference): DriftRow {
  const { kind, severity } = one
  // A new value is its own case: the row has the value that was seen.
  const said = kind === row.kind ? { before: row.was, after: row.now } : one
  const { before, after } = said
  const who = [row.agent, row.version].filter(Boolean).join(' ')
  const whole = { ...one, ...(before ? { before } : {}), ...(after ? { after } : {}) }
  return {
    ...row,
    kind,
    severity,
    was: before ?? null,
    now: after ?? null,
    message: `${who} ${differenceText(whole)}`,
  }
}

function differenceOf({ kind, severity, agent, event, tool, path, was, now }: DriftRow): Difference {
  return {
    kind: kind as Difference['kind'],
    severity: severity as Severity,
    agent,
    event,
    tool,
    path,
    ...(was === null ? {} : { before: was }),
    ...(now === null ? {} : { after: now }),
  }
}

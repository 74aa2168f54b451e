/** A rehearsal comes in parts, each a few seconds of work beside the daemon; this puts them together. */
import type { Rehearsal, RehearsalReport } from '../../client/index.ts'
import { bothOf } from '../../rpc/rehearsal-report.ts'
import { call } from '../live/call.ts'

export interface Outcome extends RehearsalReport {
  /** 0 to 1. */
  readonly done: number
}

/** Tells of each part; ends with the last one, with a problem of the draft, or when it is cancelled. */
export async function rehearse(
  text: string,
  since: number,
  signal: AbortSignal,
  tell: (outcome: Outcome) => void,
): Promise<Rehearsal> {
  let outcome: Outcome | undefined
  let after: number | undefined
  for (;;) {
    const answer = await call(
      'rules.rehearse',
      { text, since, ...(after === undefined ? {} : { after }) },
      signal,
    )
    if (!answer.part) return answer
    outcome = withPart(outcome, answer.part)
    tell(outcome)
    after = answer.part.next
    if (after === undefined) return answer
  }
}

export function withPart(before: Outcome | undefined, part: NonNullable<Rehearsal['part']>): Outcome {
  const { report, first, last, next } = part
  return {
    ...(before ? bothOf(before, report) : report),
    events: report.events,
    done: next === undefined || last <= first ? 1 : (next - first) / (last - first),
  }
}

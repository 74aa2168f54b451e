/** What the clients sent, by the mark in each payload, and what became of it as far as they know. */

/** The field of every payload that makes it unique. */
export const MARK = 'soak_event'

export class Ledger {
  /** Clients that were not killed and said nothing of a loss: gantry has to have these. */
  readonly sent = new Set<string>()
  /** Its client was killed: stored or not, but never twice. */
  readonly unsure = new Set<string>()
  /** The client said that it could keep the event nowhere. */
  readonly refused = new Set<string>()
  /** Clients that harmed their agent: an exit code other than 0, or an answer that no rule gives. */
  readonly harmed: string[] = []
  readonly denials = { wanted: 0, given: 0 }

  /** Of all that clients have done. */
  get size(): number {
    return this.sent.size + this.unsure.size + this.refused.size
  }
}

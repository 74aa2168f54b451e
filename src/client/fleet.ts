/** Several hosts on one NATS, as `gantry sessions --fleet` shows them. */
import type { SessionView } from '../sessions/state/index.ts'

export interface FleetHost {
  readonly host: string
  /** silent: nothing was heard of it for a while; stopped: its gantry was stopped. */
  readonly state: 'here' | 'silent' | 'stopped'
  /** When it was last heard of, by the clock of NATS, UTC milliseconds. */
  readonly heardAt: number
  readonly self: boolean
  readonly version: string
  readonly sessions: number
}

/** What its host told last; of a host that is not here, it may be over by now. */
export type FleetSession = SessionView & { readonly host: string; readonly hostState: FleetHost['state'] }

export interface FleetSessions {
  readonly hosts: readonly FleetHost[]
  readonly sessions: readonly FleetSession[]
  /** Why only this host is shown. */
  readonly problem: string | null
}

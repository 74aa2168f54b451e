/** What the daemon and its background thread tell each other. Both run the same version, so nothing here is checked. */
import type { BusMessage, Endpoint, LastSeqs } from '../../bus/index.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import type { LogLevel } from '../../core/log.ts'
import type { RawEvent } from '../../events/index.ts'
import type { Write } from '../../store/index.ts'
import type { Config } from '../config/config.ts'

export type ToThread =
  | {
      readonly kind: 'start'
      readonly places: Places
      /** The database file that the daemon has open. */
      readonly identity: string | undefined
      readonly config: Config
      readonly last: LastSeqs
    }
  | { readonly kind: 'config'; readonly config: Config }
  /** There are new rows; `hooks` has the newest one, if there is no other. */
  | { readonly kind: 'committed'; readonly last: LastSeqs; readonly hooks: readonly BusMessage[] }
  /** All writes up to this one are in the database. */
  | { readonly kind: 'written'; readonly id: number }
  /** What came of an event that the thread raised. */
  | { readonly kind: 'raised'; readonly id: string; readonly isStored: boolean }
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'close' }

export type FromThread =
  /** One transaction. */
  | { readonly kind: 'write'; readonly id: number; readonly writes: readonly Write[] }
  | { readonly kind: 'raise'; readonly rawEvent: RawEvent }
  | {
      readonly kind: 'log'
      readonly level: LogLevel
      readonly component: string
      readonly message: string
    }
  /** Whether anybody gets messages. */
  | { readonly kind: 'delivers'; readonly isOn: boolean }
  | { readonly kind: 'connected'; readonly endpoint: Endpoint | undefined }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly code: ErrorCode; readonly message: string }
  /** It cannot go on. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'closed' }

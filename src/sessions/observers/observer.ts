/**
 * What an observer is. Each finds out one kind of thing that no hook tells, and raises it as an event. To add one, write a class
 * like this in a file of its own, and put it into the list in index.ts.
 */
import type { TranscriptFact } from '../../agents/index.ts'
import type { Log } from '../../core/log.ts'
import type { ClientFacts, HookEvent, RawEvent } from '../../events/index.ts'
import type { Store } from '../../store/index.ts'
import type { Session } from '../state/index.ts'

export interface Observer {
  /** Before an event is taken; what is raised here comes before it. */
  ahead?(event: HookEvent): void
  /** An event was committed, and its session knows of it. */
  see?(event: HookEvent): void
  /** After every change of a session. */
  changed?(session: Session): void
  /** When what is known of a session is new, and otherwise once in a while. Looking may cost system calls. */
  follow?(session: Session, env: ClientFacts['env']): void
  /** Something of this session is not there yet: it is followed again soon. */
  awaits?(session: Session): boolean
  /** A session that was alive when the daemon was last there. */
  resume?(session: Session, env: ClientFacts['env']): void
  /** The last session of an agent from before the daemon was away, also one that has ended. */
  resumeAgent?(session: Session, env: ClientFacts['env']): void
  /** Everything that was said while the daemon was away is known. */
  resumed?(): void
  /** Now and then. */
  tidy?(sessions: readonly Session[], now: number): void
  close?(): void
}

/** What the daemon gives. */
export interface ObserverParts {
  readonly store: Pick<
    Store,
    'journal' | 'processes' | 'newest' | 'oldest' | 'seqBefore' | 'lastClients' | 'counters'
  >
  readonly log: Log
  /** The last sign of a daemon that heard the hooks; 0 when there was none. */
  readonly heardUntil: number
  session(key: string): Session | undefined
  /** No session is made of it. */
  isSessionless(event: HookEvent): boolean
  /** It holds of an event that was taken and is not committed yet. */
  isQueued(holds: (event: HookEvent) => boolean): boolean
  /** Events that clients wrote to the spool and nobody has taken yet. */
  spooled(): Promise<number>
  /** Tool calls in transcripts are compared with those that hooks announced. */
  comparesTranscripts(): boolean
  /** gantry's hooks were installed for this agent, so its sessions should report. */
  isWired(agent: string): boolean
  /** Somebody elsewhere is being asked what this sub-agent, or the main thread, asks. */
  isHeld(key: string, agentId: string | undefined): boolean
  raise(rawEvent: RawEvent): void
}

/** What observers work with; most need little of it. */
export interface ObserverContext extends ObserverParts {
  /** The process of a session's agent, where it was seen. */
  pidOf(key: string): number | undefined
  /** The process belongs to a session already. */
  isTaken(pid: number): boolean
  /** Other sessions of its process, where that has a terminal: one holds one conversation. */
  besides(key: string): readonly { readonly key: string; readonly pid: number }[]
  /** Something of this session is there now: all observers follow it again. */
  look(key: string): void
  /** A fact in the transcript of a living session, for whoever compares it with the hooks. */
  written(key: string, fact: TranscriptFact): void
  /** Evidence of this time is weighed in the recovery, in its place among what else was missed. */
  isRecovered(key: string, at: number): boolean
}

/** What almost all of them need. */
export type RaisingContext = Pick<ObserverContext, 'session' | 'raise'>

/** Efforts, for programs. Without an id, an effort is found by the folder. */
import type { CallArgs, DehydratedEffort, EffortDetail, EffortView, LoggedEffort } from '../rpc/index.ts'
import { askDaemon, type CallOptions, type Link } from './link.ts'

/** The effort's id, or the folder worked in; defaults to the current folder. */
export interface WhichEffort {
  readonly effort?: number
  readonly cwd?: string
}

export type NewEffort = Omit<CallArgs<'effort.start'>, 'cwd'> & { readonly cwd?: string }

/** What the next context window needs to continue. */
export type Dehydration = CallArgs<'effort.dehydrate'>['payload']

export interface Efforts {
  start(effort: NewEffort, options?: CallOptions): Promise<EffortView>
  /** Records progress and resets the heartbeat. */
  log(text: string, which?: WhichEffort, options?: CallOptions): Promise<LoggedEffort>
  phase(phase: string, which?: WhichEffort, options?: CallOptions): Promise<EffortView>
  finish(which?: WhichEffort, options?: CallOptions): Promise<EffortView>
  dehydrate(payload: Dehydration, which?: WhichEffort, options?: CallOptions): Promise<DehydratedEffort>
  /** Active efforts, newest first. */
  list(
    filter?: { readonly all?: boolean; readonly session?: string },
    options?: CallOptions,
  ): Promise<EffortView[]>
  get(which?: WhichEffort, options?: CallOptions): Promise<EffortDetail>
}

export function effortsOf(link: Link): Efforts {
  return {
    start: (effort, options) => askDaemon(link, 'effort.start', { cwd: process.cwd(), ...effort }, options),
    log: (text, which, options) => askDaemon(link, 'effort.log', { ...found(which), text }, options),
    phase: (phase, which, options) => askDaemon(link, 'effort.phase', { ...found(which), phase }, options),
    finish: (which, options) => askDaemon(link, 'effort.finish', found(which), options),
    dehydrate: (payload, which, options) =>
      askDaemon(link, 'effort.dehydrate', { ...found(which), payload }, options),
    list: (filter = {}, options) => askDaemon(link, 'effort.list', filter, { ...options, isRead: true }),
    get: (which, options) => askDaemon(link, 'effort.get', found(which), { ...options, isRead: true }),
  }
}

function found(which: WhichEffort = {}): WhichEffort {
  return which.effort === undefined && which.cwd === undefined ? { cwd: process.cwd() } : which
}

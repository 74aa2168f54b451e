/** Work that outlives context windows, for programs. Without a number, an effort is found by the folder. */
import type { EffortDetail, EffortView } from '../client/work.ts'
import { askDaemon, type CallOptions, type Link } from './link.ts'

/** Its number, or the folder that is worked in; the current folder when nothing is said. */
export interface WhichEffort {
  readonly effort?: number
  readonly cwd?: string
}

export interface NewEffort {
  readonly skill: string
  readonly cwd?: string
  readonly mode?: string
  readonly phase?: string
  readonly title?: string
  readonly keywords?: readonly string[]
  readonly taskDir?: string
  /** Whose effort it is; `AGENT_ID` of the environment when left out. */
  readonly agentId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What the next context window needs to go on. */
export interface Dehydration {
  readonly task: string
  readonly nextSteps: readonly string[]
  readonly decisions?: readonly string[]
  readonly files?: readonly string[]
  readonly notes?: string
}

export interface LoggedEffort extends EffortView {
  /** The file it was written to; null where that was not possible. */
  readonly artifact: string | null
}

export interface DehydratedEffort extends EffortView {
  /** A fresh window is started by `gantry run`. */
  readonly supervised: boolean
}

export interface Efforts {
  start(effort: NewEffort, options?: CallOptions): Promise<EffortView>
  /** Notes progress and resets the heartbeat. */
  log(text: string, which?: WhichEffort, options?: CallOptions): Promise<LoggedEffort>
  phase(phase: string, which?: WhichEffort, options?: CallOptions): Promise<EffortView>
  finish(which?: WhichEffort, options?: CallOptions): Promise<EffortView>
  dehydrate(payload: Dehydration, which?: WhichEffort, options?: CallOptions): Promise<DehydratedEffort>
  /** Active ones, newest first. */
  list(
    filter?: { readonly all?: boolean; readonly session?: string },
    options?: CallOptions,
  ): Promise<EffortView[]>
  get(which?: WhichEffort, options?: CallOptions): Promise<EffortDetail>
}

export function effortsOf(link: Link): Efforts {
  const say = <T extends EffortView>(name: string, args: object, options?: CallOptions) =>
    askDaemon<T>(link, `effort.${name}`, args, options)
  return {
    start: (effort, options) => say('start', { cwd: process.cwd(), ...effort }, options),
    log: (text, which, options) => say('log', { ...found(which), text }, options),
    phase: (phase, which, options) => say('phase', { ...found(which), phase }, options),
    finish: (which, options) => say('finish', found(which), options),
    dehydrate: (payload, which, options) => say('dehydrate', { ...found(which), payload }, options),
    list: (filter = {}, options) => askDaemon(link, 'effort.list', filter, { ...options, isRead: true }),
    get: (which, options) => askDaemon(link, 'effort.get', found(which), { ...options, isRead: true }),
  }
}

function found(which: WhichEffort = {}): WhichEffort {
  return which.effort === undefined && which.cwd === undefined ? { cwd: process.cwd() } : which
}

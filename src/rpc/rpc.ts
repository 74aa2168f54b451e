/**
 * Named calls with checked arguments, one envelope for all of them.
 *
 *   {"cmd":"status","args":{}}  →  {"ok":true,"data":{…}}
 *   {"cmd":"nope"}              →  {"ok":false,"error":"UNKNOWN_COMMAND","message":"…"}
 */
import type { z } from 'zod'
import { insideAgent } from '../agents/inside-agent.ts'
import { type ErrorCode, GantryError, messageOf, plainly } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { didYouMean } from '../core/text/closest.ts'
import { checked } from '../core/text/issue-words.ts'
import type { Calls } from './calls/index.ts'
import type { Definition } from './definition.ts'
import { GUARDED_CALLS } from './guarded.gen.ts'

const MAX_NAME_CHARS = 80 // limit for unknown names in messages

export interface Caller {
  /** Where the call comes from, for people; empty if the system does not tell. */
  readonly place: string
  /** Why the caller counts as part of an agent; absent for a person. */
  readonly insideAgent?: string
}

export interface RpcContext {
  /** The caller's environment, as far as it was sent. */
  readonly env: Readonly<Record<string, string>>
  /** The caller; known for guarded calls only, which are refused without one. */
  readonly caller?: Caller | undefined
  /** Aborted when the caller hangs up. */
  readonly signal?: AbortSignal | undefined
}

export type Envelope =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: ErrorCode; readonly message: string; readonly details?: unknown }

/** An envelope that another process has already encoded as a line. */
export class EncodedAnswer {
  readonly line: Buffer

  constructor(line: Buffer) {
    this.line = line
  }
}

/** The handlers of these calls: exactly one per definition. */
export type HandlersOf<Definitions extends Readonly<Record<string, Definition>>> = {
  readonly [Name in keyof Definitions]: Handler<
    z.output<Definitions[Name]['args']>,
    z.output<Definitions[Name]['result']>
  >
}

/** The daemon's handlers; a feature provides a part of them. */
export type CallHandlers = HandlersOf<Calls>

type Handler<Args, Result> = (args: Args, context: RpcContext) => Answer<Result> | Promise<Answer<Result>>
type Answer<Result> = Result | EncodedAnswer

interface Rpc extends Pick<Definition, 'args' | 'guarded'> {
  handle(args: unknown, context: RpcContext): unknown
}

export class RpcRegistry {
  readonly #calls = new Map<string, Rpc>()
  #rest: (() => Promise<void>) | undefined
  #made: Promise<void> | undefined
  readonly #atOnce = new Map<string, () => unknown>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  add<Definitions extends Readonly<Record<string, Definition>>>(
    definitions: Definitions,
    handlers: HandlersOf<Definitions>,
  ): void {
    for (const [name, { args, guarded }] of Object.entries(definitions)) {
      if (this.#calls.has(name)) throw new Error(`RPC ${name} is defined twice`)
      const handle: Rpc['handle'] | undefined = handlers[name]
      if (handle) this.#calls.set(name, { args, guarded, handle })
    }
  }

  /** Defers the calls until the first one comes: with their schemas they would take most of a start. */
  later(rest: () => Promise<void>): void {
    this.#rest = rest
  }

  /** Answers this call without loading anything if it has no arguments: for clients that start or stop the daemon. */
  atOnce(name: string, handle: () => unknown): void {
    this.#atOnce.set(name, handle)
  }

  async call(
    request: { readonly [key: string]: unknown },
    { caller, signal }: Pick<RpcContext, 'caller' | 'signal'> = {},
  ): Promise<Envelope | EncodedAnswer> {
    const name = typeof request.cmd === 'string' ? request.cmd : ''
    const atOnce = isNothing(request.args) ? this.#atOnce.get(name) : undefined
    try {
      if (GUARDED_CALLS.has(name)) refuseAgent(caller)
      if (atOnce) return { ok: true, data: await atOnce() }
      await this.#make()
    } catch (error) {
      return this.#failure(name, error)
    }
    const rpc = this.#calls.get(name)
    if (!rpc) {
      const said = name.slice(0, MAX_NAME_CHARS)
      const guess = didYouMean(said, [...this.#calls.keys()])
      const list = 'Run "gantry rpc" to list all calls.'
      const message = [`There is no call "${said}".`, guess, list].filter(Boolean).join(' ')
      return { ok: false, error: 'UNKNOWN_COMMAND', message }
    }
    try {
      if (rpc.guarded) refuseAgent(caller)
      const args = checked(rpc.args, request.args ?? {}, name)
      const data = await rpc.handle(args, { env: stringsOf(request.env), caller, signal })
      return data instanceof EncodedAnswer ? data : { ok: true, data: data ?? null }
    } catch (error) {
      return this.#failure(name, error)
    }
  }

  #failure(name: string, thrown: unknown): Envelope {
    const error = plainly(thrown)
    if (error instanceof GantryError) {
      const { code, message, details } = error
      return { ok: false, error: code, message, ...(details === undefined ? {} : { details }) }
    }
    this.#log.error('rpc', `${name}: ${messageOf(error)}`)
    return { ok: false, error: 'HANDLER_ERROR', message: `${name} failed: ${messageOf(error)}` }
  }

  async #make(): Promise<void> {
    this.#made ??= this.#rest?.()
    try {
      await this.#made
    } catch (error) {
      this.#made = undefined
      throw error
    }
  }
}

function refuseAgent(caller: Caller | undefined): void {
  const why = caller ? caller.insideAgent : 'nobody checked who made it'
  if (why !== undefined) throw new GantryError('PERMISSION', insideAgent(why))
}

function isNothing(args: unknown): boolean {
  return args == null || (typeof args === 'object' && !Array.isArray(args) && Object.keys(args).length === 0)
}

function stringsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

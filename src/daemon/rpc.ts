/**
 * Named calls with checked arguments, one envelope for all of them.
 *
 *   {"cmd":"status","args":{}}  →  {"ok":true,"data":{…}}
 *   {"cmd":"nope"}              →  {"ok":false,"error":"UNKNOWN_COMMAND","message":"…"}
 */
import { z } from 'zod'
import type { Envelope } from '../client/protocol.ts'
import { GantryError, messageOf } from '../errors.ts'
import type { Log } from './log.ts'

export interface RpcContext {
  /** Environment of the caller, as far as it sent it. */
  readonly env: Readonly<Record<string, string>>
}

export interface Rpc<Args extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly summary: string
  readonly args: Args
  readonly example: unknown
  handle(args: z.infer<Args>, context: RpcContext): unknown
}

/** Keeps the argument's type between the schema and the handler. */
export function defineRpc<Args extends z.ZodType>(rpc: Rpc<Args>): Rpc {
  return rpc as unknown as Rpc
}

export class RpcRegistry {
  readonly #calls = new Map<string, Rpc>()
  #unmade: (() => readonly Rpc[])[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  add(...calls: Rpc[]): void {
    for (const call of calls) {
      if (this.#calls.has(call.name)) throw new Error(`RPC ${call.name} is defined twice`)
      this.#calls.set(call.name, call)
    }
  }

  /** Made when the first call comes: their schemas would be most of a start. */
  later(...groups: (() => readonly Rpc[])[]): void {
    this.#unmade.push(...groups)
  }

  all(): Rpc[] {
    this.#make()
    return [...this.#calls.values()]
  }

  async call(request: { readonly [key: string]: unknown }): Promise<Envelope> {
    const name = typeof request.cmd === 'string' ? request.cmd : ''
    this.#make()
    const rpc = this.#calls.get(name)
    if (!rpc) {
      const message = `There is no call "${name.slice(0, 80)}". "gantry rpc" lists those there are.`
      return { ok: false, error: 'UNKNOWN_COMMAND', message }
    }
    const args = rpc.args.safeParse(request.args ?? {})
    if (!args.success) {
      return {
        ok: false,
        error: 'VALIDATION_ERROR',
        message: `${name}: ${z.prettifyError(args.error)}`,
        details: args.error.issues,
      }
    }
    try {
      return { ok: true, data: (await rpc.handle(args.data, { env: stringsOf(request.env) })) ?? null }
    } catch (error) {
      if (error instanceof GantryError) {
        const { code, message, details } = error
        return { ok: false, error: code, message, ...(details === undefined ? {} : { details }) }
      }
      this.#log.error('rpc', `${name}: ${messageOf(error)}`)
      return { ok: false, error: 'HANDLER_ERROR', message: `${name} failed: ${messageOf(error)}` }
    }
  }

  #make(): void {
    const groups = this.#unmade
    this.#unmade = []
    for (const make of groups) this.add(...make())
  }
}

function stringsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

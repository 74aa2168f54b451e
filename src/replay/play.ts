/**
 * Replays recorded lines through the daemon's socket, marked as replayed: they are stored, change sessions and go on
 * the bus, but nobody decides about them. Each run has new session ids. Sessions that the recording leaves open are
 * ended after it, so that nothing seems to be working.
 */
import { agentFor } from '../agents/index.ts'
import { type HookLine, openHookLine } from '../client/index.ts'
import { ENV_ALLOW_LIST, type HookHeader, WIRE_VERSION } from '../client/wire.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { pause } from '../core/time/waits.ts'
import { keyOf, newId, OWN_AGENT, RAISED, type RaisedType } from '../events/index.ts'
import { type Rebased, type Rename, rebase, renamer } from './rebase.ts'
import type { RecordedLine } from './recorded.ts'

export interface PlayOptions {
  readonly places: Places
  readonly speed: number
  readonly maxGapMs: number
  /** Gives each event the time of the replay instead of the recorded one. */
  readonly asNow?: boolean
  readonly prefix?: string
  /** Leaves open sessions open. */
  readonly keepOpen?: boolean
  readonly signal?: AbortSignal
  readonly onPlayed?: (line: RecordedLine) => void
}

export interface Played {
  readonly events: number
  readonly sessions: number
  /** Lines that were not replayed: gantry's requests to programs, and unreadable ones. */
  readonly skipped: number
  readonly stopped: boolean
}

interface Open {
  readonly agent: string
  readonly id: string
  lastAt: number
}

/** Event names that the daemon accepts beside the payload; other names are in the payload anyway. */
const EVENT_NAME = /^[A-Za-z0-9_.:-]{1,64}$/
const ALLOWED: ReadonlySet<string> = new Set(ENV_ALLOW_LIST)

export async function play(
  lines: AsyncIterable<RecordedLine> | Iterable<RecordedLine>,
  options: PlayOptions,
): Promise<Played> {
  const line = await openHookLine(options.places)
  try {
    return await new Player(line, options).run(lines)
  } finally {
    line.close()
  }
}

class Player {
  readonly #line: HookLine
  readonly #options: PlayOptions
  readonly #rename: Rename
  readonly #open = new Map<string, Open>()
  readonly #sessions = new Set<string>()
  /** Codex reports turns of sub-agents under their own ids, which are not sessions. */
  readonly #children = new Set<string>()
  #events = 0
  #skipped = 0

  constructor(line: HookLine, options: PlayOptions) {
    this.#line = line
    this.#options = options
    this.#rename = renamer({ run: newId(), prefix: options.prefix ?? '' })
  }

  async run(lines: AsyncIterable<RecordedLine> | Iterable<RecordedLine>): Promise<Played> {
    const { signal, onPlayed, keepOpen } = this.#options
    const pace = new Pace(this.#options, performance.now())
    for await (const line of lines) {
      const wait = pace.wait(line.at, performance.now())
      if (wait > 0) await pause(wait, signal)
      if (signal?.aborted) break
      const made = isForPlaying(line) ? this.#rebased(line) : undefined
      if (made) await this.#play(line, made)
      else this.#skipped += 1
      onPlayed?.(line)
    }
    if (!keepOpen) for (const session of this.#open.values()) await this.#end(session)
    return {
      events: this.#events,
      sessions: this.#sessions.size,
      skipped: this.#skipped,
      stopped: signal?.aborted === true,
    }
  }

  /** Undefined if it is nested too deeply to be changed. */
  #rebased(line: RecordedLine): Rebased | undefined {
    try {
      return rebase(line, this.#rename)
    } catch {
      return undefined
    }
  }

  async #play(line: RecordedLine, made: Rebased): Promise<void> {
    const { payload, session, type, child } = made
    const { agent } = line
    const at = this.#options.asNow ? Date.now() : line.at
    await this.#send(line, at, payload)
    const key = keyOf({ agent, sessionId: session })
    if (child !== undefined) this.#children.add(keyOf({ agent, sessionId: child }))
    const isHidden = made.isHidden || this.#children.has(key)
    if (session === '' || agent === OWN_AGENT || (isHidden && !this.#sessions.has(key))) return
    this.#sessions.add(key)
    if (type === 'SessionEnd') this.#open.delete(key)
    else this.#open.set(key, { agent, id: session, lastAt: at })
  }

  #end({ agent, id, lastAt }: Open): Promise<void> {
    const at = this.#options.asNow ? Date.now() : lastAt + 1
    const { event, payload } = agentFor(agent).endOf?.(id) ?? {
      event: 'SessionEnd',
      payload: { hook_event_name: 'SessionEnd', session_id: id, reason: 'the recording ends here' },
    }
    return this.#send({ agent, event, env: {} }, at, JSON.stringify(payload))
  }

  async #send(
    { agent, event, env, cutFrom }: Pick<RecordedLine, 'agent' | 'event' | 'env' | 'cutFrom'>,
    at: number,
    payload: string | Uint8Array,
  ): Promise<void> {
    const bytes = Buffer.from(payload)
    const header: HookHeader = {
      v: WIRE_VERSION,
      kind: 'hook',
      agent,
      ...(EVENT_NAME.test(event) ? { event } : {}),
      id: newId(),
      at,
      pid: 0,
      ppid: 0,
      env: Object.fromEntries(Object.entries(env).filter(([name]) => ALLOWED.has(name))),
      len: bytes.length,
      replay: true,
      keep: true, // a recording may pause longer than the daemon's silence limit
      ...(cutFrom === undefined ? {} : { cut: cutFrom }),
    }
    if (!(await this.#line.send(header, bytes))) {
      const message = `The daemon went away, or could not store an event; ${this.#events} were played. See: gantry doctor`
      throw new GantryError('DAEMON_AWAY', message)
    }
    this.#events += 1
  }
}

function isForPlaying({ agent, event }: RecordedLine): boolean {
  return (
    agent !== OWN_AGENT || (Object.hasOwn(RAISED, event) && RAISED[event as RaisedType].isReplayed === true)
  )
}

/**
 * When the next line is due: the recorded gap divided by the speed, up to a maximum. Measured against one clock, so
 * that a delay does not accumulate.
 */
interface PaceOptions {
  /** 2 is twice as fast; Infinity does not wait. */
  readonly speed: number
  readonly maxGapMs: number
}

export class Pace {
  readonly #options: PaceOptions
  #before: number | undefined
  #due: number

  constructor(options: PaceOptions, now: number) {
    this.#options = options
    this.#due = now
  }

  /** Milliseconds to wait from `now` for a line recorded at `at`. */
  wait(at: number, now: number): number {
    const { speed, maxGapMs } = this.#options
    const gap = this.#before === undefined ? 0 : Math.max(0, at - this.#before)
    this.#before = at
    this.#due = Math.max(this.#due, now - maxGapMs) + Math.min(maxGapMs, gap / speed)
    return Math.max(0, this.#due - now)
  }
}

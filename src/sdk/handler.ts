/**
 * A handler for `gantry bus register` in a few lines. It gets the canonical event, whichever agent sent it.
 *
 *   await runHandler(defineHandler({
 *     events: ['PreToolUse'],
 *     handle: (event) => (isDangerous(event.tool?.input) ? deny('Not here.') : allow()),
 *   }))
 */
import { DEFAULT_AGENT } from '../agents/facts.ts'
import { readerFor } from '../agents/read.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import { jsonIn } from '../core/json.ts'
import type { EventType, HookEvent } from '../events/index.ts'
import { type Opinion, opinionOf, type Verdict } from './verdicts.ts'

export interface Handler {
  /** Canonical types it handles; all by default. Register it for the same ones. */
  readonly events?: readonly EventType[]
  /** Return nothing for no opinion. A thrown error is no opinion either, and counts as a failure of the handler. */
  handle(event: HookEvent): Verdict | undefined | Promise<Verdict | undefined>
}

/** What the daemon knows about an event besides its payload. */
export interface EventFacts {
  readonly agent?: string | undefined
  /** The agent's own name of the event, which some payloads lack. */
  readonly native?: string | undefined
  readonly id?: string | undefined
}

const MAX_STDIN_BYTES = 16 * 1024 * 1024 // a payload has at most 8 MB; more is not from the daemon

/** Checks the handler where it is defined. */
export function defineHandler(handler: Handler): Handler {
  if (typeof handler.handle !== 'function')
    throw new GantryError('USAGE', 'A handler needs a function: defineHandler({ handle: (event) => … })')
  return handler
}

/** Reads one event from stdin, runs the handler, prints its opinion: a complete handler program. */
export async function runHandler(handler: Handler): Promise<void> {
  try {
    if (process.stdin.isTTY)
      throw new GantryError('USAGE', 'An event is read from stdin. Try it with: handler < payload.json')
    const { GANTRY_AGENT: agent, GANTRY_EVENT_NATIVE: native, GANTRY_EVENT_ID: id } = process.env
    const event = eventFrom(await stdinText(), { agent, native, id })
    const opinion = await askHandler(handler, event)
    if (Object.keys(opinion).length > 0) process.stdout.write(`${JSON.stringify(opinion)}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`)
    process.exitCode = 1 // not 2, which would block
  }
}

/** Runs a handler and converts its verdict to the daemon's format. */
export async function askHandler(handler: Handler, event: HookEvent): Promise<Opinion> {
  if (handler.events !== undefined && !handler.events.includes(event.type)) return {}
  const verdict = await handler.handle(event)
  return verdict ? opinionOf(event.type, verdict) : {}
}

/** The canonical event of a payload, as the daemon parses it. `seq` is 0, since only the journal knows it. */
export function eventFrom(
  raw: string,
  { agent = DEFAULT_AGENT, native, id = '' }: EventFacts = {},
): HookEvent {
  const now = Date.now()
  return readerFor(agent)(jsonIn(raw), {
    id,
    at: now,
    receivedAt: now,
    agent,
    ...(native ? { event: native } : {}),
    client: { env: {} },
    transport: 'socket',
    raw,
  })
}

async function stdinText(): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_STDIN_BYTES)
      throw new GantryError('USAGE', 'stdin is larger than any event. Pipe one event to it.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

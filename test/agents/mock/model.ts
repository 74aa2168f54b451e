/**
 * A stand-in for a model on loopback. A prompt says which script to play: `[[s:NAME]]` anywhere in a user's message.
 * Every request of that conversation takes the next turn of the script; after the last it answers "done".
 *
 *   const model = startModel(anthropic)
 *   model.play('hello', [{ calls: [{ name: 'Bash', input: { command: 'echo hi' } }] }, { text: 'said hi' }])
 *   …                                  // an agent is asked: "say hi [[s:hello]]"
 *   model.seen('hello')[1]?.text       // the second request's body: what the model saw after the tool ran
 */

export interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** One answer of the model: words, tool calls, or both; at once, or as slowly as it says. */
export interface Turn {
  readonly text?: string
  readonly calls?: readonly ToolCall[]
  /** Thinks this long before it answers. */
  readonly waitMs?: number
  /** Pause between the pieces of a streamed answer. */
  readonly dripMs?: number
  /** Answers with this error instead. */
  readonly status?: number
  /** What that error says. */
  readonly error?: string
  /** The agent may try again by itself; by default it is told not to. */
  readonly retry?: true
  /** Size of the context that it says it was sent. */
  readonly tokens?: number
  /** Of those, how many it says it read from its cache. */
  readonly cached?: number
  /** Size of the answer, as it says. */
  readonly output?: number
}

/** What an answer said that it used. */
export interface Reported {
  /** Without what came from the cache. */
  readonly input: number
  readonly cacheRead: number
  readonly output: number
}

/** The same in every dialect, so that one check fits all agents (`test/agents/usage.ts`). */
export function reportedBy({ tokens = 100, cached = 0, output = 25 }: Turn): Reported {
  return { input: tokens - cached, cacheRead: cached, output }
}

/** One request, as it came. */
export interface Seen {
  /** `performance.now()` when it had arrived whole. */
  readonly at: number
  readonly path: string
  /** The script it belongs to; absent for the agent's side requests: titles, probes, warm-ups. */
  readonly script?: string
  readonly text: string
  /** The model that was asked for. */
  readonly model: string
  /** What the answer reported; absent where it was an error. */
  reported?: Reported
  /** `performance.now()` when the last byte of the answer was handed over; absent before, and where it was cut off. */
  answered?: number
}

/** What differs between the APIs. */
export interface Dialect {
  /** Texts of the user's messages, oldest first; undefined where a request is not a turn of a conversation. */
  userTexts(body: Json, path: string): readonly string[] | undefined
  reply(turn: Turn, body: Json, path: string): Response
  /** Where a request does not name its model in its body. */
  modelIn?(path: string): string
  /** Anything that is no turn. */
  side(body: Json, path: string): Response
}

export type Json = Readonly<Record<string, unknown>>

export interface Model {
  readonly url: string
  readonly requests: readonly Seen[]
  play(script: string, turns: readonly Turn[]): void
  /** A prompt with this text plays that script, too: for those that tests do not write. */
  onPrompt(text: string, script: string): void
  seen(script: string): Seen[]
  stop(): Promise<void>
}

const TOKEN = /\[\[s:([\w/-]+)\]\]/g
const IDLE_LIMIT_S = 120

export function startModel(dialect: Dialect): Model {
  const scripts = new Map<string, readonly Turn[]>()
  const played = new Map<string, number>()
  const prompts = new Map<string, string>()
  const requests: Seen[] = []

  function next(script: string): Turn {
    const step = played.get(script) ?? 0
    played.set(script, step + 1)
    return scripts.get(script)?.[step] ?? { text: 'done' }
  }

  const answer = (turn: Turn, body: Json, path: string) =>
    turn.status === undefined ? dialect.reply(turn, body, path) : refusal(turn.status, turn)

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: IDLE_LIMIT_S,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const text = await bodyText(request)
      const at = performance.now()
      const body = parse(text)
      const script = scriptOf(dialect.userTexts(body, path) ?? [], prompts)
      const model = dialect.modelIn?.(path) ?? String(body.model ?? '')
      const seen: Seen = { at, path, ...(script === undefined ? {} : { script }), text, model }
      requests.push(seen)
      const turn = script === undefined ? undefined : next(script)
      if (turn?.waitMs !== undefined) await Bun.sleep(turn.waitMs)
      if (turn && turn.status === undefined) seen.reported = reportedBy(turn)
      return noting(seen, turn ? answer(turn, body, path) : dialect.side(body, path))
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    play: (script, turns) => {
      scripts.set(script, turns)
      played.set(script, 0)
    },
    onPrompt: (text, script) => void prompts.set(text, script),
    seen: (script) => requests.filter((request) => request.script === script),
    stop: () => server.stop(true),
  }
}

/** The newest token wins: a subagent's prompt carries its own below its parent's. */
function scriptOf(texts: readonly string[], prompts: ReadonlyMap<string, string>): string | undefined {
  for (const text of texts.toReversed()) {
    const found = [...text.matchAll(TOKEN)].at(-1)?.[1]
    if (found !== undefined) return found
    for (const [prompt, script] of prompts) if (text.includes(prompt)) return script
  }
  return undefined
}

/** Codex 0.166.0 compresses what it sends. */
async function bodyText(request: Request): Promise<string> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length === 0) return ''
  switch (request.headers.get('content-encoding')) {
    case 'zstd':
      return new TextDecoder().decode(Bun.zstdDecompressSync(bytes))
    case 'gzip':
      return new TextDecoder().decode(Bun.gunzipSync(bytes))
    default:
      return new TextDecoder().decode(bytes)
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

/** A list in a body, where it is one. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

/** Server-sent events: in one piece, or with a pause between them. */
export function eventStream(
  events: readonly { readonly name?: string; readonly data: unknown }[],
  dripMs = 0,
): Response {
  const lines = events.map(
    ({ name, data }) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
  )
  return new Response(dripMs > 0 ? dripping(lines, dripMs) : lines.join(''), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  })
}

function dripping(lines: readonly string[], pauseMs: number): ReadableStream<Uint8Array> {
  const left = lines.map((line) => new TextEncoder().encode(line))
  return new ReadableStream({
    async pull(controller) {
      const next = left.shift()
      if (next === undefined) return controller.close()
      controller.enqueue(next)
      await Bun.sleep(pauseMs)
    },
  })
}

/** The same response, and when its last byte was taken. */
function noting(seen: Seen, response: Response): Response {
  const { status, headers, body } = response
  if (!body) return response
  const note = new TransformStream<Uint8Array, Uint8Array>({
    flush: () => {
      seen.answered = performance.now()
    },
  })
  return new Response(body.pipeThrough(note), { status, headers })
}

/** An error in the one shape that all three APIs' clients read. */
function refusal(status: number, { error: message = `refused with ${status}`, retry }: Turn): Response {
  const type = status === 529 ? 'overloaded_error' : 'invalid_request_error'
  const error = { type, code: status, message }
  return Response.json(
    { type: 'error', error },
    { status, headers: retry ? {} : { 'x-should-retry': 'false' } },
  )
}

let ids = 0

export function newName(prefix: string): string {
  ids += 1
  return `${prefix}${String(ids).padStart(12, '0')}`
}

/** A daemon with sessions in it, and what tests of enrichment ask of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import type { EventContext } from '../../src/events/index.ts'
import { fixtureLines, framesOf, gantry, journal, sendFrame, sendFrames, until } from '../kit.ts'

export interface SdkLine {
  readonly input: { hook: Record<string, unknown>; context: EventContext; timestamp: string }
  readonly output: null
  readonly gantry: { seq: number; id: string; agent: string; type: string }
}

/** One hook of Claude Code. */
export function hook(
  at: Places,
  event: string,
  fields: Record<string, unknown> = {},
  options: { agent?: string; env?: Record<string, string>; header?: Record<string, unknown> } = {},
): Promise<unknown> {
  const { agent = 'claude', env = {}, header = {} } = options
  const payload = JSON.stringify({ hook_event_name: event, session_id: 's1', ...fields })
  return sendFrame(at, { agent, event, payload, header: { env, ...header } })
}

/** Plays a recording, as if it happened now. */
export async function play(at: Places, file: string): Promise<void> {
  await sendFrames(at, framesOf(fixtureLines(file)))
}

/** What was around the hooks of these sessions, in their order; asked for at once, so it waits for what is still looked up. */
export async function contextsOf(
  at: Places,
  ...sessions: string[]
): Promise<{ session_id: string; type: string; context: EventContext }[]> {
  const rows = journal<{ seq: number; session_id: string; type: string }>(
    at,
    "SELECT seq, session_id, type FROM events WHERE agent <> 'gantry' ORDER BY seq",
  ).filter(({ session_id }) => sessions.includes(session_id))
  const found = await call(at, 'events.contexts', {
    seqs: rows.map(({ seq }) => seq),
  })
  return rows.map((row, n) => ({ ...row, context: found[n]?.context as EventContext }))
}

export async function sdkLines(at: Places, ...args: string[]): Promise<SdkLine[]> {
  const { stdout, stderr, exit } = await gantry(at, 'events', '--format', 'sdk', '-n', '10000', ...args)
  if (exit !== 0) throw new Error(stderr)
  return linesOf(stdout)
}

export function linesOf(text: string): SdkLine[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SdkLine)
}

/** The view of a session, once `check` holds for it. */
export function sessionWith(
  at: Places,
  session: string,
  check: (view: SessionView) => unknown,
  what: string,
): Promise<SessionView> {
  return until(async () => {
    const view = await call(at, 'sessions.get', { session })
    return check(view) ? view : undefined
  }, what)
}

/** A transcript where Claude Code would have it under this home. */
export function claudeTranscript(at: Places, session: string, lines: readonly (object | string)[]): string {
  const path = join(at.home ?? '', '.claude/projects/-work', `${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  )
  return path
}

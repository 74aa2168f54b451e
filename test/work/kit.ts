/**
 * The work engine of a real daemon, as a client that makes its own calls sees it: snake_case payloads on the socket,
 * and the tables behind them.
 *
 *   const desk = await openDesk()
 *   const { effort, cwd } = await desk.effort({ skill: 'fix' })
 *   await desk.hook('preToolUse', { session_id: 's1', cwd, tool_name: 'Bash', tool_input: {} })
 */
import { realpathSync } from 'node:fs'
import type { Places } from '../../src/core/files/paths.ts'
import { exchange, journal, makeHome, type RunningDaemon, sendFrame, startDaemon, tempDir } from '../kit.ts'

export type Fields = Record<string, unknown>

export interface Envelope {
  readonly ok: boolean
  readonly data?: Fields
  readonly error?: string
  readonly message?: string
  readonly details?: unknown
}

export interface Desk {
  readonly home: Places
  readonly daemon: RunningDaemon
  /** One call, one answer, as it stands on the wire. */
  raw(cmd: string, args: unknown, env?: Record<string, string>): Promise<Envelope>
  /** The data of a call that works. */
  call(cmd: string, args: unknown, env?: Record<string, string>): Promise<Fields>
  hook(name: string, args: Fields, env?: Record<string, string>): Promise<Fields>
  /** An effort in a project of its own, unless `cwd` names one. */
  effort(wanted?: Fields): Promise<{ effort: number; cwd: string; taskDir: string }>
  /** What the status line of a session says of its context. */
  usage(sessionId: string, cwd: string, percent: number): Promise<void>
  rows<Row = Fields>(sql: string): Row[]
}

export function project(): string {
  return realpathSync(tempDir())
}

export async function openDesk(config = ''): Promise<Desk> {
  const home = makeHome(config)
  const daemon = await startDaemon(home)
  return deskAt(home, daemon)
}

export function deskAt(home: Places, daemon: RunningDaemon): Desk {
  const raw: Desk['raw'] = async (cmd, args, env) => {
    const line = `${JSON.stringify({ cmd, args, ...(env ? { env } : {}) })}\n`
    return JSON.parse((await exchange(home, Buffer.from(line))).toString()) as Envelope
  }
  const call: Desk['call'] = async (cmd, args, env) => {
    const envelope = await raw(cmd, args, env)
    if (!envelope.ok) throw new Error(`${cmd}: ${envelope.error} ${envelope.message}`)
    return (envelope.data ?? {}) as Fields
  }
  return {
    home,
    daemon,
    raw,
    call,
    hook: (name, args, env) => call(`hooks.${name}`, args, env),
    effort: async (wanted = {}) => {
      const cwd = typeof wanted.cwd === 'string' ? wanted.cwd : project()
      const made = await call('effort.start', { skill: 'implement', ...wanted, cwd })
      return { effort: Number(made.id), cwd, taskDir: String(made.taskId) }
    },
    usage: async (session_id, cwd, used_percentage) => {
      const payload = { hook_event_name: 'StatusLine', session_id, cwd, context_window: { used_percentage } }
      await sendFrame(home, { event: 'StatusLine', payload: JSON.stringify(payload) })
    },
    rows: (sql) => journal(home, sql),
  }
}

let count = 0

/** Of a session that no other test knows. */
export function newSession(): string {
  count += 1
  return `session-${process.pid}-${count}`
}

/** The five fields that every hook of Claude Code sends. */
export function base(cwd: string, event: string, session = newSession()): Fields {
  return {
    session_id: session,
    transcript_path: `${cwd}/none.jsonl`,
    cwd,
    permission_mode: 'default',
    hook_event_name: event,
  }
}

export function toolCall(cwd: string, session: string, tool_name = 'Bash', tool_input: Fields = {}): Fields {
  return { ...base(cwd, 'PreToolUse', session), tool_name, tool_input, tool_use_id: 'toolu_1' }
}

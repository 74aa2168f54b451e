/** The daemon's log: one line per entry, rotated by size, safe to show in a terminal. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { redact } from '../redaction/index.ts'
import { counted } from './text/text.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface Log {
  debug(component: string, message: string): void
  info(component: string, message: string): void
  warn(component: string, message: string): void
  error(component: string, message: string): void
  close(): void
}

export interface LogOptions {
  readonly level?: LogLevel
  readonly maxBytes?: number
  readonly keep?: number
  readonly now?: () => number
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }
const MAX_LINE_CHARS = 2_000
const REPEAT_WINDOW_MS = 1_000 // a flood of the same message becomes one line and a count

export function openLog(path: string, options: LogOptions = {}): Log {
  const { level = 'info', maxBytes = 5 * 1024 * 1024, keep = 3, now = Date.now } = options
  let fd = openSync(path, 'a', 0o600)
  let size = statSync(path).size
  let last = { rank: level, text: '', at: 0, repeats: 0 }
  let open = true

  const put = (line: string) => {
    if (!open) return
    try {
      if (size + line.length > maxBytes) rotate()
      else if (!existsSync(path)) reopen() // somebody deleted it; start a new file
      size += writeSync(fd, line)
    } catch {
      // A full disk must not stop the daemon; `status` still reports it.
    }
  }
  const rotate = () => {
    size = 0 // also if the steps below fail: then the old file is used until it has grown by as much again
    rmSync(`${path}.${keep}`, { force: true })
    for (let i = keep - 1; i >= 1; i--) moveIfThere(`${path}.${i}`, `${path}.${i + 1}`)
    moveIfThere(path, `${path}.1`)
    reopen()
  }
  const reopen = () => {
    const next = openSync(path, 'a', 0o600)
    closeSync(fd) // after the open: the database could get a freed descriptor that the log still writes to
    fd = next
    size = 0
  }
  const putRepeats = (stamp: string) => {
    if (last.repeats === 0) return
    put(
      `${stamp} ${last.rank.padEnd(5)} log      the line above was repeated ${counted(last.repeats, 'more time')}\n`,
    )
    last.repeats = 0
  }
  const write = (rank: LogLevel, component: string, message: string) => {
    if (RANK[rank] < RANK[level]) return
    const at = now()
    const text = `${rank.padEnd(5)} ${component.padEnd(8)} ${plain(redact(message).text)}`
    if (text === last.text && Math.abs(at - last.at) < REPEAT_WINDOW_MS) {
      last.repeats += 1
      return
    }
    const stamp = new Date(at).toISOString()
    putRepeats(stamp)
    last = { rank, text, at, repeats: 0 }
    put(`${stamp} ${text}\n`)
  }
  return {
    debug: (component, message) => write('debug', component, message),
    info: (component, message) => write('info', component, message),
    warn: (component, message) => write('warn', component, message),
    error: (component, message) => write('error', component, message),
    close: () => {
      putRepeats(new Date(now()).toISOString())
      open = false
      closeSync(fd)
    },
  }
}

/** Removes control characters: untrusted text may hold escape sequences, and people read logs in terminals. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  return text.slice(0, MAX_LINE_CHARS).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '·')
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to)
}

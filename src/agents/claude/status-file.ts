/**
 * Claude Code 2.1.325 keeps `<config>/sessions/<pid>.json` with a status, which people's `claude agents` reads. It is
 * written 50 to 100 ms before the transcript tells of an Esc, and says that a dialog was answered, which nothing else
 * does for an edit. 2.0.77 has no such file.
 */
import { join } from 'node:path'
import type { Status, StatusReader } from '../status-file.ts'
import { numberOf, parseLine } from '../transcript.ts'

export const claudeStatus: StatusReader = {
  path: (env, home, pid) => join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'sessions', `${pid}.json`),
  read(text) {
    const { kind, sessionId, status, statusUpdatedAt } = parseLine(text) ?? {}
    if (kind !== 'interactive') return undefined // seen only there; a headless run has nobody to wait for
    const at = numberOf(statusUpdatedAt)
    return typeof sessionId === 'string' && isStatus(status) && at > 0 ? { sessionId, status, at } : undefined
  },
}

function isStatus(value: unknown): value is Status['status'] {
  return value === 'busy' || value === 'waiting' || value === 'idle'
}

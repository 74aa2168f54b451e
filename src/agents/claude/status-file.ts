/**
 * Claude Code 2.1.325 keeps a status in `<config>/sessions/<pid>.json`, which `claude agents` reads. It is written 50 to
 * 100 ms before an Esc reaches the transcript. It also shows that a dialog was answered, which nothing else does for an
 * edit. 2.0.77 has no such file.
 */
import { join } from 'node:path'
import type { Status, StatusReader } from '../agent.ts'
import { numberOf, parseLine } from '../transcripts/transcript.ts'

export const claudeStatus: StatusReader = {
  path: (env, home, pid) => join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'sessions', `${pid}.json`),
  read(text) {
    const { kind, sessionId, status, statusUpdatedAt } = parseLine(text) ?? {}
    if (kind !== 'interactive') return undefined // seen only there; a headless run waits for nobody
    const at = numberOf(statusUpdatedAt)
    return typeof sessionId === 'string' && isStatus(status) && at > 0 ? { sessionId, status, at } : undefined
  },
}

function isStatus(value: unknown): value is Status['status'] {
  return value === 'busy' || value === 'waiting' || value === 'idle'
}

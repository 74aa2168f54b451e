/**
 * Copilot CLI 1.0.102 runs no hook in a terminal before the first prompt: not at the start, not on resume, and not after
 * /clear. But it keeps `~/.copilot/open-sessions-state.json`, and per session a folder with `workspace.yaml` and, unless
 * resumed, `inuse.<pid>.lock`.
 */
import { join } from 'node:path'
import type { PresenceReader } from '../agent.ts'
import { objectOf, parseLine, timeOf } from '../transcripts/transcript.ts'

export const SESSION_ID = /^[\w-]{1,128}$/ // a folder name that cannot lead outside
const LOCK = /^inuse\.(\d{1,9})\.lock$/
const CWD = /^cwd: (\/.*)$/m

export const copilotPresence: PresenceReader = {
  folder: (env, home) => env.COPILOT_HOME || join(home, '.copilot'),
  file: 'open-sessions-state.json',
  read: (text) =>
    Object.entries(parseLine(text) ?? {}).flatMap(([sessionId, value]) => {
      const at = timeOf(objectOf(value)?.openedAt)
      return SESSION_ID.test(sessionId) && at > 0 ? [{ sessionId, at }] : []
    }),
  placeOf: (sessionId) => join('session-state', sessionId),
  about: 'workspace.yaml',
  whereabouts(names, about) {
    const pid = names.map((name) => LOCK.exec(name)?.[1]).find((found) => found !== undefined)
    const cwd = CWD.exec(about)?.[1]
    return { ...(pid === undefined ? {} : { pid: Number(pid) }), ...(cwd === undefined ? {} : { cwd }) }
  },
}

/** What the tests of the hook clients say again and again. */
import { expect } from 'bun:test'
import { type Box, parseFrame } from './clients.ts'
import type { Talk } from './fake-daemon.ts'

export const NOBODY = 65534
export const isRoot = process.getuid?.() === 0
export const isLinux = process.platform === 'linux'

/** For an environment in which no daemon is to be started. */
export const QUIET = { GANTRY_NO_AUTOSTART: '1' }

export const nod = (talk: Talk) => talk.say('0 0 0\n')
export const silence = () => {}

/** What --required says when there is no answer. */
export function blocked(reason: string, fix = 'Find out why with: gantry doctor'): string {
  return `gantry: no decision (${reason}). This hook is required, so the action is blocked. ${fix}\n`
}

export const AWAY = blocked('daemon not running', 'Start it with: gantry up')

/** Exit 0 and not one byte: what an agent sees of a gantry that is broken. */
export function expectSilence(outcome: { code: number | null; stdout: Buffer; stderr: string }) {
  expect({ code: outcome.code, stdout: outcome.stdout.toString(), stderr: outcome.stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
}

/** Exit 0 and one line: the event could be kept nowhere. */
export function expectLoss(
  outcome: { code: number | null; stdout: Buffer; stderr: string },
  why: string,
  fix = 'Find out why with: gantry doctor',
) {
  expect({ code: outcome.code, stdout: outcome.stdout.toString(), stderr: outcome.stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr: `gantry: this event is lost (${why}). The agent continues. ${fix}\n`,
  })
}

export function expectSpooled(box: Box, payload = '{}', folder?: string) {
  const frames = box.spooled(folder)
  expect(frames).toHaveLength(1)
  const { header, payload: kept } = parseFrame(frames[0] ?? Buffer.alloc(0))
  expect(kept.toString()).toBe(payload)
  expect(header.len).toBe(kept.length)
}

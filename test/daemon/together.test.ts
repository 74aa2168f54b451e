/**
 * Hooks that arrive at the same moment, or were spooled while no daemon was there, share a commit. Every recording gives the
 * same sessions then as with one commit for each hook, and the journal alone gives them again.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { parseRow } from '../../src/journal/index.ts'
import { SessionMap, viewOf } from '../../src/sessions/state/index.ts'
import { openStore } from '../../src/store/index.ts'
import {
  FIXTURES,
  type FrameParts,
  fixtureLines,
  frame,
  framesOf,
  makeHome,
  sendFrame,
  sendFrames,
  startDaemon,
  until,
} from '../kit.ts'
import { rounds } from '../long.ts'
import { sessionsIn } from './session-kit.ts'

setDefaultTimeout(120_000) // some hundred hooks one by one, on a busy machine

/** Those that begin with an underscore are samples, not the events of a session. */
const FILES = [...new Bun.Glob('*/*/[!_]*.jsonl').scanSync(FIXTURES)].toSorted()
const LINES = rounds(10, 10_000) // of a recording
const AGO_MS = 600_000 // longer than any recording, and too recent for a session to be silent

/** As long after one another as they were recorded, and of no process: a number that was recorded is somebody else's now. */
const recordings: readonly FrameParts[][] = FILES.map((file) => {
  const lines = fixtureLines(file)
    .slice(0, LINES)
    .map((line) => {
      const env = Object.fromEntries(Object.entries(line.env).filter(([name]) => !name.endsWith('_PID')))
      return { ...line, env }
    })
  const times = lines.map(({ at }) => Date.parse(at))
  const shift = Date.now() - AGO_MS - (times[0] ?? 0)
  return framesOf(lines).map((one, n) => ({ ...one, id: newId(), at: (times[n] ?? 0) + shift }))
})

const WAYS: Readonly<Record<string, (at: Places) => Promise<SessionView[]>>> = {
  'one by one': async (at) => {
    await using _ = await startDaemon(at)
    const play = async (frames: readonly FrameParts[]) => {
      for (const one of frames) await sendFrame(at, one)
    }
    await Promise.all(recordings.map(play))
    return await sessionsIn(at)
  },
  'one behind the other': async (at) => {
    await using _ = await startDaemon(at)
    await Promise.all(recordings.map((frames) => sendFrames(at, frames)))
    return await sessionsIn(at)
  },
  'from the spool': async (at) => {
    mkdirSync(at.spool, { recursive: true, mode: 0o700 })
    for (const one of recordings.flat()) writeFileSync(join(at.spool, `${one.id}.frame`), frame(one))
    await using _ = await startDaemon(at)
    const isEmpty = () => !readdirSync(at.spool).some((name) => name.endsWith('.frame'))
    await until(isEmpty, 'an empty spool', 60_000)
    return await sessionsIn(at)
  },
}

/** What the journal says that people see, by session; what only names it, or says when it was shown, is another each time. */
function seen(sessions: readonly SessionView[]): Record<string, unknown> {
  const facts = sessions.map(({ key, phase, turn, children, ...one }) => {
    const { detail, attention, error, openTools, background, todos, startedAt, endedAt, lastActivity } = one
    const { generation, firstPrompt, lastPrompt, lastMessage, prevSessionId, parentSessionId } = one
    const now = { phase, open: turn.open, detail, attention, error, openTools, background, children, todos }
    const said = { generation, firstPrompt, lastPrompt, lastMessage, prevSessionId, parentSessionId }
    return [key, { ...now, ...said, startedAt, endedAt, lastActivity }] as const
  })
  return Object.fromEntries(facts)
}

const homes = new Map<string, Places>()
const shown = new Map<string, Record<string, unknown>>()

beforeAll(async () => {
  for (const [way, play] of Object.entries(WAYS)) {
    const at = makeHome()
    homes.set(way, at)
    shown.set(way, seen(await play(at)))
  }
})

describe.each(Object.keys(WAYS))('%s', (way) => {
  test('gives the sessions that hooks give one by one', () => {
    expect(Object.keys(shown.get(way) ?? {}).length).toBeGreaterThan(FILES.length / 2)
    expect(shown.get(way)).toEqual(shown.get('one by one') ?? {})
  })

  test('gives them again from the journal', () => {
    const store = openStore((homes.get(way) as Places).database)
    try {
      const fleet = new SessionMap()
      for (const row of store.oldest({ after: 0 }, 10_000)) fleet.apply(parseRow(row))
      const again = [...fleet.all()].map((session) => viewOf(session, Date.now()))
      expect(seen(again)).toEqual(shown.get(way) ?? {})
    } finally {
      store.close()
    }
  })
})

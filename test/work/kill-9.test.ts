/**
 * The heartbeat is as durable as the events it counts: whatever is killed, and whenever, the counter on the disk is the
 * number of tool calls in the journal since the last log, commands of the engine aside. Real clients, real SIGKILLs.
 */
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { endDaemon, gantry, HOOK, journal, makeHome, run, until } from '../kit.ts'
import { limitMs, rounds } from '../long.ts'
import { newSession, project } from './kit.ts'

const RUNS = rounds(1, 6)

const homes: Places[] = []
afterAll(async () => {
  for (const at of homes) await endDaemon(at)
})

type Step =
  | { readonly kind: 'calls'; readonly count: number; readonly engine: boolean }
  /** So many at once, and the daemon is killed a few milliseconds after they began. */
  | { readonly kind: 'kill'; readonly count: number; readonly afterMs: number }
  | { readonly kind: 'log' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('calls'),
      count: fc.integer({ min: 1, max: 5 }),
      engine: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill'),
      count: fc.integer({ min: 0, max: 8 }),
      afterMs: fc.nat(25),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('log') }) },
)

test(
  'the counter is the number of calls since the last log, at every moment',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
        await play([...steps, { kind: 'kill', count: 4, afterMs: 5 }])
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  },
  limitMs(RUNS, 60_000),
)

async function play(steps: readonly Step[]): Promise<void> {
  const at = makeHome('[http]\nenabled = false\n')
  homes.push(at)
  await gantry(at, 'up')
  const cwd = project()
  const id = newSession()
  const { id: effort } = await call(at, 'effort.start', {
    cwd,
    skill: 'fix',
    metadata: { settings: { heartbeat_block: 0 } },
  })
  let sent = 0
  let loggedAt = 0
  const hook = async (engine: boolean) => {
    sent += 1
    const command = engine ? 'gantry effort log "x"' : `npm test ${sent}`
    const payload = {
      session_id: id,
      cwd,
      prompt_id: 'p',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: `t${sent}`,
    }
    const { exit, stderr } = await run([HOOK, 'claude', 'PreToolUse'], at, JSON.stringify(payload))
    if (exit !== 0 || stderr) throw new Error(`the agent noticed: ${exit} ${stderr}`)
  }
  for (const one of steps) {
    switch (one.kind) {
      case 'calls':
        for (let i = 0; i < one.count; i++) await hook(one.engine)
        break
      case 'kill': {
        const hooks = Array.from({ length: one.count }, (_, i) => hook(i % 3 === 0))
        await Bun.sleep(one.afterMs)
        await endDaemon(at)
        holds(at, id, loggedAt)
        await Promise.all(hooks)
        break
      }
      case 'log': {
        await allStored(at, sent)
        await call(at, 'effort.log', { effort, text: 'so far' })
        loggedAt = journal<{ seq: number }>(at, 'SELECT max(seq) AS seq FROM events')[0]?.seq ?? 0
      }
    }
    holds(at, id, loggedAt)
  }
  await allStored(at, sent)
  expect(holds(at, id, loggedAt)).toBeGreaterThanOrEqual(0)
  await endDaemon(at)
}

/** One look at the disk: the rows of one moment. */
function holds(at: Places, id: string, loggedAt: number): number {
  const [row] = journal<{ counted: number; counter: number | null; windows: number }>(
    at,
    `SELECT (SELECT count(*) FROM events WHERE type = 'PreToolUse' AND seq > ${loggedAt}
               AND raw NOT LIKE '%gantry effort log%') AS counted,
            (SELECT sum(heartbeat_counter) FROM effort_windows WHERE native_id = '${id}') AS counter,
            (SELECT count(*) FROM effort_windows WHERE native_id = '${id}') AS windows`,
  )
  expect({ counter: row?.counter ?? 0, windows: row?.windows ?? 0 }).toEqual({
    counter: row?.counted ?? -1,
    windows: Math.min(1, row?.windows ?? 0),
  })
  return row?.counter ?? 0
}

/** A daemon is there, and has everything that the clients kept for it. */
async function allStored(at: Places, sent: number): Promise<void> {
  await gantry(at, 'up') // the clients may have started one meanwhile
  await until(
    () =>
      journal<{ n: number }>(at, "SELECT count(*) AS n FROM events WHERE type = 'PreToolUse'")[0]?.n === sent,
    `${sent} events in the journal`,
    20_000,
  )
}

/**
 * Hooks beside those who read a long journal: readers that catch up, and searches. Each figure is held against the same
 * hooks a moment before, with nobody reading, and one pause of a busy machine: a daemon that reads has to wait its turn.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import { makeFolders } from '../../src/core/files/private-files.ts'
import { newId } from '../../src/events/index.ts'
import { openStore } from '../../src/store/index.ts'
import { eventOf, gantry, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { processes } from '../litter.ts'
import { pauseMs } from '../processor-time.ts'

const EVENTS = 8_000
const PAYLOAD_CHARS = 4_000
const READERS = 30
const HOOKS = 60
const AT_MOST = 8 // times as long as without readers: in one turn of the loop a hook waits for a page, and for its writes
const PATIENCE_MS = 100_000 // while hooks come, readers get a fifth of the daemon's time, of which a busy machine leaves little

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  makeFolders(at)
  const store = openStore(at.database)
  for (let done = 0; done < EVENTS; done += 1_000)
    store.journal.relaxed(() => {
      for (let i = 0; i < 1_000; i++)
        store.journal.append(eventOf({ id: newId(), receivedAt: Date.now(), raw: payload(done + i) }))
    })
  store.close()
  daemon = await startDaemon(at)
}, 60_000)
afterAll(async () => void (await daemon.kill('SIGKILL')))

const payload = (n: number) =>
  JSON.stringify({
    session_id: `s${n % 50}`,
    hook_event_name: 'Stop',
    text: 'lorem ipsum '.repeat(PAYLOAD_CHARS / 12),
  })

/** The median of so many hooks, one after the other, in milliseconds; `beside` something that is done again and again. */
async function hookMs(beside?: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  let working: Promise<unknown> | undefined
  while (took.length < HOOKS) {
    working ??= beside?.().finally(() => {
      working = undefined
    })
    const start = performance.now()
    expect(await sendFrame(at, { payload: '{"session_id":"now","hook_event_name":"Stop"}' })).toBeDefined()
    took.push(performance.now() - start)
  }
  await working
  return took.sort((a, b) => a - b)[took.length >> 1] ?? 0
}

/** In a process of their own, so that what they do with the bytes is not measured. */
function startReaders(request: object) {
  const script = `
    const request = ${JSON.stringify(`${JSON.stringify(request)}\n`)}
    for (let i = 0; i < ${READERS}; i++)
      Bun.connect({ unix: ${JSON.stringify(at.socket)}, socket: { open: (s) => void s.write(request), data: () => {} } })`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'inherit' })
  processes.add(child)
  return child
}

for (const [name, request] of Object.entries({
  events: { sub: 'events', query: { after: 0 } },
  'a stream of the bus': { sub: 'bus', stream: 'HOOK_EVENTS', deliver: 'all' },
})) {
  test(`${READERS} readers that catch up on ${name} do not hold up hooks`, async () => {
    const alone = await hookMs()
    const { subscribers } = await call(at, 'status')
    const child = startReaders(request)
    await until(
      async () => (await call(at, 'status')).subscribers >= subscribers + READERS,
      'readers',
      30_000,
    )
    const beside = await hookMs()
    child.kill('SIGKILL')
    await child.exited
    console.log(`hook p50 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${name}`)
    expect(beside / (alone + pauseMs())).toBeLessThan(AT_MOST)
  }, 60_000)
}

test('four who search the whole journal do not hold up hooks, and all get their answer', async () => {
  const text = 'nowhere to be found'
  const four = <T>(search: () => Promise<T>) => Promise.all(Array.from({ length: 4 }, search))
  const alone = await hookMs()
  const besideCalls = await hookMs(async () => {
    expect(await four(() => call(at, 'events.list', { grep: text, limit: 10 }))).toEqual([[], [], [], []])
  })
  const besideCommands = await hookMs(async () => {
    for (const { exit, stdout } of await four(() => gantry(at, 'events', '--grep', text)))
      expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
  })
  const ms = [alone, besideCalls, besideCommands].map((one) => one.toFixed(1))
  console.log(`hook p50 ${ms[0]} ms alone, ${ms[1]} ms beside calls, ${ms[2]} ms beside commands`)
  const floor = alone + pauseMs()
  expect(besideCalls / floor).toBeLessThan(AT_MOST)
  expect(besideCommands / floor).toBeLessThan(3 * AT_MOST) // four programs on as few cores as there are
}, 60_000)

test(
  'sixteen who ask for the contexts of a thousand events do not hold up hooks, and all get their answer',
  async () => {
    const seqs = Array.from({ length: 1_000 }, (_, n) => n + 1)
    const alone = await hookMs()
    const beside = await hookMs(async () => {
      const all = () => call(at, 'events.contexts', { seqs }, { deadlineMs: PATIENCE_MS })
      const found = await Promise.all(Array.from({ length: 16 }, all))
      for (const one of found) expect(one).toHaveLength(seqs.length)
    })
    console.log(`hook p50 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside contexts`)
    expect(beside / (alone + pauseMs())).toBeLessThan(AT_MOST)
  },
  2 * PATIENCE_MS,
)

/** What the streams of a real daemon hold when more has happened than they can: the newest, and a little of everyone. */
import { expect, test } from 'bun:test'
import { range } from '../../src/bus/testkit.ts'
import { call } from '../../src/client/index.ts'
import { journal, makeHome, startDaemon, until } from '../kit.ts'
import { AGENTS_ONLY, flood, listen } from './bus-kit.ts'

const turn = (session: string) => (n: number) => ({
  session_id: session,
  hook_event_name: n % 2 === 0 ? 'UserPromptSubmit' : 'Stop',
  prompt: `turn ${n}`,
})

test('the oldest leave, the last events of each session stay, and a consumer that was away is told', async () => {
  const at = makeHome(AGENTS_ONLY)
  await using _ = await startDaemon(at)
  const away = await listen(at, { durable: 'away' })
  away.close()
  await flood(at, 40, turn('quiet'))
  await flood(at, 12_000, turn('loud'))
  // Which sessions there are is known from their rows, and those follow the events by up to a second.
  const isKnown = () => journal(at, "SELECT 1 FROM session_states WHERE session_id = 'quiet'").length > 0
  await until(isKnown, 'the row of the quiet session')

  const reader = await listen(at, { deliver: 'all' })
  await until(() => reader.messages.at(-1)?.seq === 12_040, 'everything there is')
  expect(reader.seqs).toEqual([...range(21, 40), ...range(2_041, 12_040)])
  expect(reader.messages.slice(0, 20).every(({ session }) => session === 'quiet')).toBe(true)

  // The other streams have rows of their own, which leave in housekeeping.
  const rows = () =>
    journal<{ n: number }>(at, "SELECT count(*) AS n FROM bus_messages WHERE stream = 'SESSION_EVENTS'")[0]?.n
  await until(() => (rows() ?? 0) < 10_600, 'housekeeping')
  const sessions = await listen(at, { stream: 'SESSION_EVENTS', deliver: 'all' })
  const { streams } = await call(at, 'bus.status')
  const held = streams[1]
  expect(held).toMatchObject({ name: 'SESSION_EVENTS', messages: 10_020, floor: 20 })
  await until(() => sessions.messages.length === 10_020, 'what it holds')
  expect(sessions.messages.slice(0, 20).every(({ session }) => session === 'quiet')).toBe(true)
  expect(journal(at)).toHaveLength(12_040) // the journal keeps all of it

  const behind = await call(at, 'doctor')
  expect(behind.map(({ message }) => message).join()).toContain(
    '"away" is away, and messages leave HOOK_EVENTS',
  )
  const back = await listen(at, { durable: 'away', maxInFlight: 5_000 })
  await until(() => back.messages.length === 5_000, 'as many as it may have')
  expect(back.seqs.slice(0, 22)).toEqual([...range(21, 40), 2_041, 2_042])
  expect(await call(at, 'bus.consumers')).toMatchObject([{ name: 'away', missed: 20 + 2_000, lag: 10_020 }])
}, 120_000)

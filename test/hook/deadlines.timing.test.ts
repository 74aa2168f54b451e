/** How long a hook client waits, and for what. All of it is waiting, so all of it waits together. */
import { expect, test } from 'bun:test'
import { chmodSync, utimesSync } from 'node:fs'
import { DECIDER_GAVE_UP_MODE, LOOK_AGAIN_MS } from '../../src/client/wire.ts'
import { type Box, CLIENTS, openBox, type RunOptions, useClients } from './clients.ts'
import { AWAY, blocked, expectSilence, expectSpooled, nod, QUIET, silence } from './expectations.ts'
import { fillBacklog, listen, listenDeaf } from './fake-daemon.ts'

useClients()

for (const client of CLIENTS) {
  test(`${client.name}: a full backlog is given 50 ms to clear, and nothing once the daemon is given up`, async () => {
    const box = openBox(client)
    await using _deaf = await listenDeaf(box.socket)
    using _crowd = await fillBacklog(box.socket)
    const outcome = await timed(box, ['claude', 'Notification', '--required'], { env: QUIET })
    // Bun cannot tell a full backlog from a daemon that is gone.
    const reason = client.build ? blocked('the daemon did not accept the connection') : AWAY
    expect(outcome).toMatchObject({ code: 2, stderr: reason })
    expect(outcome.ms).toBeGreaterThanOrEqual(45)
    expect(outcome.ms).toBeLessThan(1500 + outcome.floorMs)
    expectSpooled(box)
    giveUp(box, 0)
    const spared = await timed(box, ['claude', 'PreToolUse'], { env: QUIET })
    expectSilence(spared)
    expect(spared.ms).toBeLessThan(3000 + spared.floorMs)

    // A busy machine may need more than the 50 ms itself, but not every time.
    let isTaken = false
    for (let tries = 0; tries < 5 && !isTaken; tries++) isTaken = await isTakenLate(openBox(client))
    expect(isTaken).toBe(true)
  })
}

/** Whether a client gets its answer if a full backlog clears while it tries. */
async function isTakenLate(box: Box): Promise<boolean> {
  await using deaf = await listenDeaf(box.socket)
  using _crowd = await fillBacklog(box.socket)
  const late = box.run(['claude', 'PreToolUse'], { env: QUIET })
  await Bun.sleep(30)
  deaf.wakeUp()
  return (await late).code === 7
}

/** With what the start of the same client took beside it, which is what a busy machine takes of any limit. */
async function timed(box: Box, args: string[], options: RunOptions = {}) {
  const [outcome, floor] = await Promise.all([box.run(args, options), box.run(['--version'])])
  return { ...outcome, floorMs: floor.ms }
}

/** As a decider did it so long ago. */
function giveUp(box: Box, agoMs: number) {
  const at = (Date.now() - agoMs) / 1000
  utimesSync(box.socket, at, at)
  chmodSync(box.socket, DECIDER_GAVE_UP_MODE)
}

async function goesOnWithoutStdin(box: Box, event: string, waitMs: number): Promise<void> {
  using daemon = listen(box.socket, nod)
  const outcome = await timed(box, ['claude', event], { stdin: 'open' })
  expectSilence(outcome)
  expect(outcome.ms).toBeGreaterThanOrEqual(waitMs - 50)
  expect(outcome.ms).toBeLessThan(waitMs + 2000 + outcome.floorMs)
  expect(daemon.talks.at(-1)?.header.len).toBe(0)
}

// Only so many run at once, so those that wait longest begin.
for (const client of CLIENTS) {
  test.concurrent(`${client.name}: a decider waits 5 s and no longer`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, (talk) => talk.say('0 10 0\nhalf'))
    const outcome = await timed(box, ['claude', 'PreToolUse'])
    expectSilence(outcome)
    expect(outcome.ms).toBeGreaterThanOrEqual(4900)
    expect(outcome.ms).toBeLessThan(6500 + outcome.floorMs)
    expectSpooled(box)
  })

  test.concurrent(`${client.name}: a daemon that does not read is given up, too`, async () => {
    const box = openBox(client)
    await using _deaf = await listenDeaf(box.socket)
    const outcome = await box.run(['claude', 'Stop', '--required'], { stdin: Buffer.alloc(2_000_000) })
    expect(outcome).toMatchObject({ code: 2, stderr: blocked('the daemon did not answer in time') })
    expect(box.spooled()).toHaveLength(1)
  })

  test.concurrent(`${client.name}: a decider goes on when stdin stays open without a byte`, () =>
    goesOnWithoutStdin(openBox(client), 'PreToolUse', 5000))

  test.concurrent(`${client.name}: goes on after 5 s of a payload that never ends`, async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, nod)
    // From a process of its own: a pause of a second would be the end, and this one is busy.
    const through = 'while printf x; do sleep 0.2; done 2>/dev/null | "$@"'
    const outcome = await timed(box, ['claude', 'Stop'], { through })
    expectSilence(outcome)
    expect(outcome.ms).toBeGreaterThanOrEqual(4900)
    expect(outcome.ms).toBeLessThan(7000 + outcome.floorMs)
    expect(Number(daemon.talks[0]?.header.len)).toBeGreaterThan(10)
  })
}

for (const client of CLIENTS) {
  test.concurrent(`${client.name}: a daemon that was given up holds up no decider`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, silence)
    for (const agoMs of [0, LOOK_AGAIN_MS + 1000, -LOOK_AGAIN_MS]) {
      giveUp(box, agoMs)
      const outcome = await timed(box, ['claude', 'PreToolUse'])
      expectSilence(outcome)
      // Who looks behind the mark waits as an observer does, and not for 5 s.
      expect(outcome.ms).toBeLessThan(3000 + outcome.floorMs)
    }
  })

  test.concurrent(`${client.name}: an observer leaves a stuck daemon after 250 ms`, async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, silence)
    const outcome = await timed(box, ['claude', 'Notification'])
    expectSilence(outcome)
    expect(outcome.ms).toBeGreaterThanOrEqual(200)
    expect(outcome.ms).toBeLessThan(1500 + outcome.floorMs)
    expectSpooled(box)
    while (daemon.talks.length === 0) await Bun.sleep(10)
    expect(daemon.talks[0]?.frame.equals(box.spooled()[0] ?? Buffer.alloc(0))).toBe(true)
    expect(await box.starts(0)).toEqual([])
  })

  test.concurrent(`${client.name}: a hook without an event is an observer`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, silence)
    const outcome = await timed(box, ['claude'])
    expectSilence(outcome)
    expect(outcome.ms).toBeLessThan(1500 + outcome.floorMs)
  })

  test.concurrent(`${client.name}: a decider waits for an answer that is 1 s late`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, async (talk) => {
      await Bun.sleep(1000)
      talk.say('2 0 3\nno\n')
    })
    expect(await box.run(['claude', 'PreToolUse'])).toMatchObject({ code: 2, stderr: 'no\n' })
    expect(box.spooled()).toEqual([])
  })

  test.concurrent(`${client.name}: a required observer waits as long as a decider`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, async (talk) => {
      await Bun.sleep(1000)
      talk.say('0 2 0\nok')
    })
    const outcome = await box.run(['claude', 'Notification', '--required'])
    expect(outcome).toMatchObject({ code: 0, stdout: Buffer.from('ok') })
  })

  test.concurrent(`${client.name}: a hold can also cut the wait short`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, (talk) => talk.say('hold 100\n'))
    const { code, stderr, ms, floorMs } = await timed(box, ['claude', 'PreToolUse', '--required'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: blocked('the daemon did not answer in time') })
    expect(ms).toBeLessThan(2000 + floorMs)
    expectSpooled(box)
  })

  test.concurrent(`${client.name}: an observer goes on when stdin stays open without a byte`, () =>
    goesOnWithoutStdin(openBox(client), 'Notification', 1000))

  test.concurrent(`${client.name}: goes on with what came when stdin stays open after it`, async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, nod)
    const feed = async (pipe: Bun.FileSink) => {
      for (const piece of ['{"half":', ' "and', ' more"}']) {
        pipe.write(piece)
        pipe.flush()
        await Bun.sleep(400)
      }
    }
    const outcome = await timed(box, ['claude', 'Stop'], { stdin: 'open', feed })
    expectSilence(outcome)
    expect(daemon.talks[0]?.payload.toString()).toBe('{"half": "and more"}')
    expect(outcome.ms).toBeLessThan(4000 + outcome.floorMs)
  })

  test.concurrent(`${client.name}: a closed stdin is an empty payload`, async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, nod)
    expectSilence(await box.run(['claude', 'Stop'], { through: 'exec "$@" <&-' }))
    expect(daemon.talks[0]?.header.len).toBe(0)
  })

  test.concurrent(`${client.name}: a closed stdout or stderr changes nothing else`, async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, (talk) => talk.say('2 3 3\noutERR'))
    expect(await box.run(['claude', 'Stop'], { through: 'exec "$@" >&-' })).toMatchObject({
      code: 2,
      stderr: 'ERR',
    })
    const outcome = await box.run(['claude', 'Stop'], { through: 'exec "$@" 2>&-' })
    expect(outcome).toMatchObject({ code: 2, stdout: Buffer.from('out') })
    expect((await box.run(['claude', 'Stop'], { through: 'exec "$@" <&- >&- 2>&-' })).code).toBe(2)
    expect(daemon.talks.map((talk) => talk.header.len)).toEqual([2, 2, 0])
  })

  test.concurrent(`${client.name}: a reader that goes away does not change the exit code`, async () => {
    const box = openBox(client)
    const out = 'x'.repeat(1_000_000)
    using _daemon = listen(box.socket, (talk) => talk.say(`3 ${out.length} 5\n${out}after`))
    const through = '{ "$@"; echo " exit $?" >&2; } | true'
    expect((await box.run(['claude', 'Stop'], { through })).stderr).toBe('after exit 3\n')
  })
}

// Last, when the others have started: here the daemon, too, has to be in time.
for (const client of CLIENTS) {
  test.concurrent(`${client.name}: holds keep an observer waiting`, async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, async (talk) => {
      talk.say('hold 900\n')
      await Bun.sleep(350)
      talk.say('hold 90')
      talk.say('0\nhold 2000\n')
      await Bun.sleep(950)
      talk.say('0 4 0\nheld')
    })
    const outcome = await box.run(['claude', 'Notification'])
    expect(outcome).toMatchObject({ code: 0, stdout: Buffer.from('held') })
    expect(box.spooled()).toEqual([])
  })
}

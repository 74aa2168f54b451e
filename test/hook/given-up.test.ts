/** A daemon that did not answer is waited for once, by whoever is first; the socket is marked until it goes on. */
import { describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import {
  DECIDER_GAVE_UP_MODE,
  LOOK_AGAIN_MS,
  OBSERVER_DEADLINE_MS,
  OBSERVER_GAVE_UP_MODE,
  SOCKET_MODE,
} from '../../src/client/wire.ts'
import { type Box, CLIENTS, openBox, useClients } from './clients.ts'
import { blocked, expectSilence, isLinux, isRoot, NOBODY, nod, QUIET, silence } from './expectations.ts'
import { fillBacklog, leaveStaleSocket, listen, listenDeaf } from './fake-daemon.ts'

useClients()

const LONGER_THAN_AN_OBSERVER_MS = OBSERVER_DEADLINE_MS + 50

const modeOf = (path: string) => fs.statSync(path).mode & 0o777

/** As a client did it so long ago. */
function giveUp(box: Box, agoMs = 0, mode = DECIDER_GAVE_UP_MODE) {
  const at = (Date.now() - agoMs) / 1000
  fs.utimesSync(box.socket, at, at)
  fs.chmodSync(box.socket, mode)
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  test('a decider that waited in vain spares everybody after it the wait', async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, (talk) => talk.say('hold 50\n'))
    giveUp(box, 10 * LOOK_AGAIN_MS, SOCKET_MODE)
    const before = Date.now() - 10 // the clock of files is coarser
    expectSilence(await box.run(['claude', 'PreToolUse']))
    expect(modeOf(box.socket)).toBe(DECIDER_GAVE_UP_MODE)
    const { mtimeMs } = fs.statSync(box.socket)
    expect(mtimeMs).toBeGreaterThan(before) // the time of the mark is now
    for (const event of ['PreToolUse', 'Stop', 'Notification']) {
      expectSilence(await box.run(['claude', event]))
    }
    expect(box.spooled()).toHaveLength(4)
    expect(daemon.talks).toHaveLength(1)
    expect(fs.statSync(box.socket).mtimeMs).toBe(mtimeMs) // they do not make it last
    expect(await box.starts(0)).toEqual([])
  })

  test('an observer that waited in vain spares observers the wait, and costs no decision', async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, async (talk) => {
      if (talk.header.event === 'Notification') return
      await Bun.sleep(LONGER_THAN_AN_OBSERVER_MS)
      talk.say('2 0 3\nno\n')
    })
    expectSilence(await box.run(['claude', 'Notification']))
    expect(modeOf(box.socket)).toBe(OBSERVER_GAVE_UP_MODE)
    expectSilence(await box.run(['claude', 'Notification']))
    expect(daemon.talks).toHaveLength(1)
    expect(await box.run(['claude', 'PreToolUse'])).toMatchObject({ code: 2, stderr: 'no\n' })
    expect(modeOf(box.socket)).toBe(SOCKET_MODE) // it answers, so observers wait again
    expect(box.spooled()).toHaveLength(2)
  })

  test('a decider that waits in vain after an observer raises the mark, and no observer lowers it', async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, (talk) => talk.say('hold 50\n'))
    giveUp(box, 0, OBSERVER_GAVE_UP_MODE)
    expectSilence(await box.run(['claude', 'PreToolUse']))
    expect(modeOf(box.socket)).toBe(DECIDER_GAVE_UP_MODE)
    giveUp(box, LOOK_AGAIN_MS + 1000)
    expectSilence(await box.run(['claude', 'Notification']))
    expect(daemon.talks).toHaveLength(2)
    expect(modeOf(box.socket)).toBe(DECIDER_GAVE_UP_MODE)
  })

  test('many at once agree', async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, silence)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => box.run(['claude', 'Notification'])))
    for (const outcome of outcomes) expectSilence(outcome)
    expect(modeOf(box.socket)).toBe(OBSERVER_GAVE_UP_MODE)
    expect(box.spooled()).toHaveLength(10)
  })

  test('an answer, a refusal and nonsense mark nothing', async () => {
    const box = openBox(client)
    for (const answer of ['0 0 0\n', 'nonsense\n', '']) {
      using _daemon = listen(box.socket, (talk) => (answer ? talk.say(answer) : talk.hangUp()))
      expectSilence(await box.run(['claude', 'PreToolUse']))
      expect(modeOf(box.socket)).toBe(SOCKET_MODE)
    }
  })

  test('whoever is required waits all the same, and takes the mark away with the answer', async () => {
    const box = openBox(client)
    using daemon = listen(box.socket, async (talk) => {
      if (daemon.talks.length === 1) return talk.say('hold 50\n')
      await Bun.sleep(LONGER_THAN_AN_OBSERVER_MS)
      talk.say('0 3 0\nyes')
    })
    giveUp(box)
    const vain = await box.run(['claude', 'Notification', '--required'])
    expect(vain).toMatchObject({ code: 2, stderr: blocked('the daemon did not answer in time') })
    expect(modeOf(box.socket)).toBe(DECIDER_GAVE_UP_MODE)
    const answered = await box.run(['claude', 'Notification', '--required'])
    expect(answered).toMatchObject({ code: 0, stdout: Buffer.from('yes') })
    expect(modeOf(box.socket)).toBe(SOCKET_MODE)
    expect(box.spooled()).toHaveLength(1)
  })

  test('a mark that is a minute old, or ahead of the clock, is looked behind once', async () => {
    for (const agoMs of [LOOK_AGAIN_MS + 1000, -LOOK_AGAIN_MS]) {
      const box = openBox(client)
      using daemon = listen(box.socket, (talk) => (daemon.talks.length === 1 ? undefined : nod(talk)))
      giveUp(box, agoMs)
      expectSilence(await box.run(['claude', 'PreToolUse']))
      expect(daemon.talks).toHaveLength(1)
      expectSilence(await box.run(['claude', 'PreToolUse'])) // another minute
      expect(daemon.talks).toHaveLength(1)
      expect(box.spooled()).toHaveLength(2)
      giveUp(box, agoMs)
      expectSilence(await box.run(['claude', 'PreToolUse']))
      expect(daemon.talks).toHaveLength(2)
      expect(modeOf(box.socket)).toBe(SOCKET_MODE)
      expect(box.spooled()).toHaveLength(2)
    }
  })

  test('a daemon that died while it was given up is started', async () => {
    const box = openBox(client)
    leaveStaleSocket(box.socket)
    giveUp(box)
    expectSilence(await box.run(['claude', 'PreToolUse']))
    expect(await box.starts(1)).toHaveLength(1)
    expect(box.spooled()).toHaveLength(1)
  })

  test('a frozen daemon with a full backlog holds up nobody, either', async () => {
    const box = openBox(client)
    await using _deaf = await listenDeaf(box.socket)
    fs.chmodSync(box.socket, SOCKET_MODE)
    expectSilence(await box.run(['claude', 'Notification']))
    expect(modeOf(box.socket)).toBe(OBSERVER_GAVE_UP_MODE)
    giveUp(box)
    using _crowd = await fillBacklog(box.socket)
    expectSilence(await box.run(['claude', 'PreToolUse'], { env: QUIET }))
    expect(box.spooled()).toHaveLength(2)
  })

  test('other modes of the socket say nothing', async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, (talk) => talk.say('5 0 0\n'))
    for (const mode of [0o777, 0o755, 0o666]) {
      fs.chmodSync(box.socket, mode)
      expect((await box.run(['claude', 'PreToolUse'])).code).toBe(5)
      expect(modeOf(box.socket)).toBe(mode)
    }
  })

  test('the mark is on the socket itself when that was found through the link', async () => {
    const box = openBox(client)
    const real = join(box.root, 'elsewhere')
    fs.mkdirSync(real, { mode: 0o700 })
    fs.mkdirSync(box.state, { mode: 0o700 })
    using daemon = listen(join(real, 'gantry.sock'), silence)
    fs.symlinkSync(join(real, 'gantry.sock'), join(box.state, 'gantry.sock'))
    expectSilence(await box.run(['claude', 'Notification']))
    expect(modeOf(join(real, 'gantry.sock'))).toBe(OBSERVER_GAVE_UP_MODE)
    expectSilence(await box.run(['claude', 'Notification']))
    expect(daemon.talks).toHaveLength(1)
  })

  test.skipIf(!isRoot)('the socket of another user is not marked', async () => {
    const box = openBox(client)
    using _daemon = listen(box.socket, silence)
    fs.chownSync(box.socket, NOBODY, NOBODY)
    expectSilence(await box.run(['claude', 'Notification']))
    expect(modeOf(box.socket)).toBe(SOCKET_MODE)
  })

  test.skipIf(!isRoot || !isLinux)('a disk that cannot be written costs the wait and no more', async () => {
    const box = openBox(client)
    const run = join(box.home, 'run')
    const mount = (...args: string[]) => expect(Bun.spawnSync(['mount', ...args]).exitCode).toBe(0)
    mount('-t', 'tmpfs', '-o', 'mode=700', 'tmpfs', run)
    try {
      using daemon = listen(box.socket, silence)
      mount('-o', 'remount,ro', run)
      for (const talks of [1, 2]) {
        expectSilence(await box.run(['claude', 'Notification']))
        expect(daemon.talks).toHaveLength(talks)
      }
      expect(box.spooled()).toHaveLength(2)
    } finally {
      Bun.spawnSync(['umount', '-l', run])
    }
  })
})

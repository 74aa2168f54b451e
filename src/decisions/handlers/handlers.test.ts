import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir, until } from '../../../test/kit.ts'
import type { HookEvent, Verdict } from '../../events/index.ts'
import { openStore } from '../../store/index.ts'
import { Handlers, type HandlersOptions } from './handlers.ts'
import { handlerEnv } from './run.ts'

const NONE: Verdict = { decision: 'none' }

function setup(options: Partial<HandlersOptions> = {}, dir = tempDir()) {
  const store = openStore(join(dir, 'gantry.db'))
  const handlers = new Handlers({ store, dir, env: handlerEnv(process.env), ...options })
  let created = 0
  const register = (id: string, command: string, events = ['PreToolUse'], priority = 50) =>
    handlers.register({ id, events, command, priority, createdAt: ++created })
  const file = (name: string) => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '')
  const count = (kind: string) => store.counters.total(kind)
  const status = (id: string) => handlers.list().find((one) => one.id === id)
  return { dir, store, handlers, register, file, count, status }
}

const tool = (parts: Partial<HookEvent> = {}) =>
  eventOf({ type: 'PreToolUse', native: 'PreToolUse', at: Date.now(), ...parts })

describe('the handlers of an event', () => {
  test('are asked in ascending priority; what they say adds up', async () => {
    const { handlers, register, file } = setup()
    register('late', `echo late >> order; echo '{"inject":["three"],"warnings":["w2"]}'`, ['PreToolUse'], 90)
    register('early', `echo early >> order; echo '{"inject":["one"],"warnings":["w1"]}'`, ['PreToolUse'], 10)
    register('same', `echo same >> order; echo '{"inject":["two"]}'`, ['Stop', 'PreToolUse'], 10)
    const verdict = await handlers.ask(tool(), { decision: 'allow', by: 'r', context: ['zero'] })
    expect(verdict).toEqual({
      decision: 'allow',
      by: 'r',
      context: ['zero', 'one', 'two', 'three'],
      systemMessage: 'w1\nw2',
    })
    expect(file('order')).toBe('early\nsame\nlate\n')
  })

  test('end with the first that blocks', async () => {
    const { handlers, register, file } = setup()
    register('a', `echo '{"inject":["kept"]}'`, ['PreToolUse'], 1)
    register('b', `echo '{"block":true,"reason":"b says no"}'`, ['PreToolUse'], 2)
    register('c', `touch asked; echo '{"block":true,"reason":"c says no"}'`, ['PreToolUse'], 3)
    expect(await handlers.ask(tool(), NONE)).toEqual({
      decision: 'deny',
      reason: 'b says no',
      by: 'handler:b',
      context: ['kept'],
    })
    expect(file('asked')).toBe('')
    expect(existsSync('asked')).toBe(false)
  })

  test('that have nothing to say leave the verdict as it was', async () => {
    const { handlers, register } = setup()
    register('a', ':')
    expect(await handlers.ask(tool(), NONE)).toBe(NONE)
  })

  test('are those registered for its type, or for all', () => {
    const { handlers, register } = setup()
    expect(handlers.wants(eventOf({ type: 'Stop' }))).toBe(false)
    register('tools', ':', ['PreToolUse', 'PostToolUse'])
    expect(
      ['PreToolUse', 'PostToolUse', 'Stop', 'constructor'].map((type) => handlers.wants(eventOf({ type }))),
    ).toEqual([true, true, false, false])
    register('all', ':', ['*'])
    expect(handlers.wants(eventOf({ type: 'Whatever' }))).toBe(true)
    expect(handlers.unregister('all')).toBe(true)
    expect(handlers.unregister('all')).toBe(false)
    expect(handlers.wants(eventOf({ type: 'Whatever' }))).toBe(false)
  })

  test('are known after a restart, in their order', () => {
    const { dir, register, store } = setup()
    register('b', 'echo "a, b"', ['Stop', '*'], 20)
    register('a', 'true', ['Stop'], 10)
    store.close()
    const again = setup({}, dir)
    expect(again.handlers.list()).toMatchObject([
      { id: 'a', events: ['Stop'], command: 'true', priority: 10, runs: 0 },
      { id: 'b', events: ['Stop', '*'], command: 'echo "a, b"', priority: 20 },
    ])
  })

  test('are at most two hundred; one with the same id takes the place of the other', () => {
    const { handlers, register } = setup()
    for (let i = 0; i < 200; i++) register(`h${i}`, ':')
    expect(() => register('one more', ':')).toThrow('200 handlers already')
    expect(register('h7', 'true').command).toBe('true')
    expect(handlers.list()).toHaveLength(200)
  })
})

describe('a handler that fails', () => {
  test('says nothing, the next is asked, and that a decision was missed is counted', async () => {
    const { handlers, register, count, status } = setup()
    register('broken', 'echo oh no >&2; exit 1', ['PreToolUse'], 1)
    register('fine', `echo '{"inject":["x"]}'`, ['PreToolUse'], 2)
    expect(await handlers.ask(tool(), NONE)).toEqual({ decision: 'none', context: ['x'] })
    expect(count('missed')).toBe(1)
    expect(status('broken')).toMatchObject({
      runs: 1,
      failures: 1,
      lastError: 'ended with exit code 1: oh no',
    })
  })

  test('three times in a row is left alone, tried again later, and asked again once it works', async () => {
    const { handlers, register, dir, status, count } = setup({ limits: { retryMs: 300 } })
    writeFileSync(join(dir, 'broken'), '')
    register('guard', `test -e broken && exit 1; echo '{"block":true,"reason":"awake"}'`)
    for (let i = 0; i < 3; i++) await handlers.ask(tool(), NONE)
    expect(status('guard')).toMatchObject({ circuit: 'open', runs: 3, failures: 3 })
    await handlers.ask(tool(), NONE)
    expect(status('guard')).toMatchObject({ runs: 3, skipped: 1 })
    expect(count('missed')).toBe(4)

    await until(() => status('guard')?.circuit === 'half-open', 'its next try')
    await handlers.ask(tool(), NONE) // still broken
    expect(status('guard')).toMatchObject({ circuit: 'open', runs: 4 })

    await Bun.file(join(dir, 'broken')).delete()
    await until(() => status('guard')?.circuit === 'half-open', 'another try')
    expect((await handlers.ask(tool(), NONE)).reason).toBe('awake')
    expect(status('guard')?.circuit).toBe('closed')
  })

  test('starts anew when it is registered again', async () => {
    const { handlers, register, status } = setup()
    register('guard', 'exit 1')
    for (let i = 0; i < 3; i++) await handlers.ask(tool(), NONE)
    expect(status('guard')?.circuit).toBe('open')
    register('guard', `echo '{"inject":["better"]}'`)
    expect((await handlers.ask(tool(), NONE)).context).toEqual(['better'])
  })

  test('by not ending is killed at its limit, and all of them together have one, too', async () => {
    const { handlers, register, status } = setup({ limits: { runMs: 300, chainMs: 500 } })
    for (const id of ['a', 'b', 'c', 'd']) register(id, 'sleep 60')
    const began = performance.now()
    expect(await handlers.ask(tool(), NONE)).toBe(NONE)
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(status('a')?.lastError).toContain('did not end within 0.3 s')
    expect(status('d')).toMatchObject({ runs: 0, skipped: 1 })
  })

  test('by printing what makes no sense is asked again, and it is counted', async () => {
    const { handlers, register, count, status } = setup()
    register('chatty', 'echo hello there')
    for (let i = 0; i < 4; i++) await handlers.ask(tool(), NONE)
    expect(status('chatty')).toMatchObject({ circuit: 'closed', runs: 4, garbled: 4, failures: 0 })
    expect(count('garbled')).toBe(4)
  })
})

describe('events that nobody waits for', () => {
  test('are passed on afterwards, those of a session in their order', async () => {
    const { handlers, register, file } = setup()
    register('log', `sleep 0.0$(( \${RANDOM:-3} % 5 )); sed 's/$/\\n/' >> seen`, ['Note'])
    const lines = Array.from({ length: 20 }, (_, i) => `{"n":${i}}`)
    for (const raw of lines) handlers.observe(tool({ type: 'Note', raw, sessionId: 's' }))
    await until(() => file('seen').split('\n').filter(Boolean).length === 20, 'all of them')
    expect(file('seen').split('\n').filter(Boolean)).toEqual(lines)
  })

  test('that are history, hidden, cut or replayed are not', async () => {
    const { handlers, register, file } = setup()
    register('log', 'cat >> seen', ['Note'])
    const old = Date.now() - 6 * 60_000
    handlers.observe(tool({ type: 'Note', raw: 'old ', at: old, transport: 'spool' }))
    handlers.observe(tool({ type: 'Note', raw: 'hidden ', hidden: 'title-thread' }))
    handlers.observe(tool({ type: 'Note', raw: 'cut ', cutFrom: 9 }))
    handlers.observe(tool({ type: 'Note', raw: 'replayed ', transport: 'replay' }))
    handlers.observe(tool({ type: 'Note', raw: 'live', transport: 'spool' }))
    await until(() => file('seen') !== '', 'the live one')
    expect(file('seen')).toBe('live')
  })

  test('that come too fast are dropped and counted, and hold up no decision', async () => {
    const { handlers, register, count, status } = setup({ limits: { queued: 10, running: 4, watching: 2 } })
    register('slow', 'sleep 60', ['Note'])
    register('guard', `echo '{"inject":["asked"]}'`)
    for (let i = 0; i < 20; i++) handlers.observe(tool({ type: 'Note', sessionId: `s${i}` }))
    expect(count('dropped')).toBe(8)
    expect(status('slow')?.skipped).toBe(8)
    await until(() => status('slow')?.running === 2, 'as many as may run')
    // The queue is full of those that only watch; there is room for one who is asked all the same.
    expect((await handlers.ask(tool(), NONE)).context).toEqual(['asked'])
    handlers.close()
    await until(() => status('slow')?.running === 0, 'the end of those that ran')
  })
})

import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { silentLog } from '../../test/kit.ts'
import { GantryError } from '../core/errors.ts'
import { guardedCall, openCall } from './definition.ts'
import { type Caller, type Envelope, RpcRegistry } from './rpc.ts'

const definitions = {
  add: openCall({
    summary: 'Adds two numbers',
    args: z.strictObject({ a: z.number(), b: z.number().default(1) }),
    result: z.number(),
    example: { a: 1, b: 2 },
  }),
  nothing: openCall({ summary: '', result: z.undefined() }),
  env: openCall({ summary: '', result: z.record(z.string(), z.string()) }),
  break: openCall({
    summary: '',
    args: z.strictObject({ how: z.string() }),
    result: z.never(),
    example: { how: 'gently' },
  }),
}

function registry() {
  const log = silentLog()
  const rpc = new RpcRegistry(log)
  rpc.add(definitions, {
    add: ({ a, b }) => a + b,
    nothing: () => undefined,
    env: async (_, { env }) => env,
    break: async ({ how }) => {
      if (how === 'gently') throw new GantryError('DEADLINE', 'Too slow. Ask for less.')
      if (how === 'badly') throw new TypeError('x is not a function')
      throw 'a piece of text'
    },
  })
  return { rpc, log }
}

describe('a call', () => {
  test('is answered with its data', async () => {
    const { rpc } = registry()
    expect(await rpc.call({ cmd: 'add', args: { a: 1, b: 2 } })).toEqual({ ok: true, data: 3 })
    expect(await rpc.call({ cmd: 'add', args: { a: 1 } })).toEqual({ ok: true, data: 2 })
  })

  test('without a result is answered with null', async () => {
    expect(await registry().rpc.call({ cmd: 'nothing' })).toEqual({ ok: true, data: null })
    expect(await registry().rpc.call({ cmd: 'nothing', args: null })).toEqual({ ok: true, data: null })
  })

  test('that is unknown gives UNKNOWN_COMMAND, and the message says where to look', async () => {
    const { rpc } = registry()
    for (const cmd of ['nope', '', 'constructor', '__proto__', 5, null, undefined, { a: 1 }]) {
      const envelope = (await rpc.call({ cmd })) as Envelope
      expect(envelope).toMatchObject({ ok: false, error: 'UNKNOWN_COMMAND' })
      expect(envelope.ok || envelope.message).toContain('Run "gantry rpc"')
    }
    const long = (await rpc.call({ cmd: 'x'.repeat(10_000) })) as Envelope
    expect(long.ok || long.message.length).toBeLessThan(200)
  })

  test('with wrong arguments gives VALIDATION_ERROR, with the field in message and details', async () => {
    const { rpc } = registry()
    for (const args of [{}, { a: '1' }, { a: 1, b: null }, [], 'x', 5]) {
      expect(await rpc.call({ cmd: 'add', args })).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
    }
    const envelope = (await rpc.call({ cmd: 'add', args: { a: 'one' } })) as Envelope
    expect(envelope.ok || envelope.message).toMatch(/^add: .*a/s)
    expect(envelope.ok || envelope.details).toMatchObject([{ path: ['a'] }])
  })

  test('with an extra argument is refused', async () => {
    expect(await registry().rpc.call({ cmd: 'add', args: { a: 1, surprise: 1 } })).toMatchObject({
      error: 'VALIDATION_ERROR',
    })
  })

  test("gets its caller's environment, as far as it is text", async () => {
    const { rpc } = registry()
    const env = { AGENT_ID: 'a1', LEVEL: 5, NOTHING: null }
    expect(await rpc.call({ cmd: 'env', env })).toEqual({ ok: true, data: { AGENT_ID: 'a1' } })
    for (const odd of [undefined, null, 5, 'x']) {
      expect(await rpc.call({ cmd: 'env', env: odd })).toEqual({ ok: true, data: {} })
    }
  })
})

test('a guarded call is answered to a person alone, and to nobody unknown', async () => {
  const { rpc } = registry()
  rpc.add({ allow: guardedCall({ summary: 'Lets it', result: z.string() }) }, { allow: () => 'done' })
  const from = (caller?: Caller) => rpc.call({ cmd: 'allow' }, { caller })
  expect(await from({ place: 'process 1' })).toEqual({ ok: true, data: 'done' })
  for (const caller of [undefined, { place: '', insideAgent: 'CLAUDECODE is set' }])
    expect(await from(caller)).toMatchObject({ ok: false, error: 'PERMISSION' })
})

describe('a handler that throws', () => {
  test('a GantryError passes it on', async () => {
    const { rpc, log } = registry()
    expect(await rpc.call({ cmd: 'break', args: { how: 'gently' } })).toEqual({
      ok: false,
      error: 'DEADLINE',
      message: 'Too slow. Ask for less.',
    })
    expect(log.lines).toEqual([])
  })

  test('any other error gives HANDLER_ERROR and a log line', async () => {
    const { rpc, log } = registry()
    expect(await rpc.call({ cmd: 'break', args: { how: 'badly' } })).toEqual({
      ok: false,
      error: 'HANDLER_ERROR',
      message: 'break failed: x is not a function',
    })
    expect(await rpc.call({ cmd: 'break', args: { how: 'otherwise' } })).toMatchObject({
      error: 'HANDLER_ERROR',
      message: 'break failed: a piece of text',
    })
    expect(log.lines).toHaveLength(2)
  })
})

test('a duplicate name is a programming error', () => {
  const { rpc } = registry()
  const again = { nothing: definitions.nothing }
  expect(() => rpc.add(again, { nothing: () => undefined })).toThrow(/defined twice/)
})

describe('calls that are loaded later', () => {
  const late = openCall({ summary: '', result: z.string() })

  test('are loaded for the first call, and only once for concurrent ones', async () => {
    const { rpc } = registry()
    let loads = 0
    rpc.later(async () => {
      loads += 1
      await Bun.sleep(1)
      rpc.add({ late }, { late: () => 'here' })
    })
    expect(loads).toBe(0)
    const answers = await Promise.all([1, 2, 3].map(() => rpc.call({ cmd: 'late' })))
    expect(answers).toEqual(answers.map(() => ({ ok: true, data: 'here' })))
    expect(await rpc.call({ cmd: 'add', args: { a: 1 } })).toEqual({ ok: true, data: 2 })
    expect(loads).toBe(1)
  })

  test('are not loaded for immediate calls, unless those have arguments to check', async () => {
    const { rpc } = registry()
    let loads = 0
    rpc.atOnce('late', () => 'at once')
    rpc.later(async () => {
      loads += 1
      rpc.add({ late }, { late: () => 'here' })
    })
    for (const args of [undefined, null, {}])
      expect(await rpc.call({ cmd: 'late', args })).toEqual({ ok: true, data: 'at once' })
    expect(loads).toBe(0)
    for (const args of [{ a: 1 }, [], 'x', 0])
      expect(await rpc.call({ cmd: 'late', args })).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
  })

  test('that fail to load fail the call, and are tried again', async () => {
    const { rpc, log } = registry()
    let loads = 0
    rpc.later(async () => {
      loads += 1
      if (loads === 1) throw new Error('the file is being replaced')
      rpc.add({ late }, { late: () => 'here' })
    })
    expect(await rpc.call({ cmd: 'late' })).toMatchObject({ ok: false, error: 'HANDLER_ERROR' })
    expect(log.lines.join()).toContain('the file is being replaced')
    expect(await rpc.call({ cmd: 'late' })).toEqual({ ok: true, data: 'here' })
  })
})

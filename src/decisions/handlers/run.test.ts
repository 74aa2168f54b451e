import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, isGone, tempDir, until } from '../../../test/kit.ts'
import { handlerEnv, type RunResult, runHandler } from './run.ts'

const PAYLOAD = '{"hook_event_name":"PreToolUse","session_id":"s1","tool_name":"$(touch owned); `id`"}'

function start(
  command: string,
  {
    limitMs = 20_000,
    ...parts
  }: { limitMs?: number; raw?: string; sessionId?: string; native?: string } = {},
) {
  const dir = tempDir()
  const event = eventOf({ id: 'e1', type: 'PreToolUse', raw: PAYLOAD, ...parts })
  const env = handlerEnv({ PATH: process.env.PATH, HOME: '/nowhere', SECRET_TOKEN: 'x' }, '/some/home')
  return { dir, ...runHandler(command, event, { dir, env, limitMs }) }
}

async function run(
  command: string,
  options?: Parameters<typeof start>[1],
): Promise<RunResult & { dir: string }> {
  const { dir, result } = start(command, options)
  return { ...(await result), dir }
}

const pidsIn = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number)

describe('a command', () => {
  test('gets the payload as it came on stdin, and answers on stdout', async () => {
    const { dir, ...result } = await run(`cat > got; echo '{"block":true,"reason":"no"}'`)
    expect(readFileSync(join(dir, 'got'), 'utf8')).toBe(PAYLOAD)
    expect(result).toEqual({
      kind: 'said',
      output: { block: true, reason: 'no', inject: [], warnings: [] },
      garbled: false,
    })
    expect(existsSync(join(dir, 'owned'))).toBe(false)
  })

  test('knows whose event it is, and nothing else of the daemon’s environment', async () => {
    const { dir } = await run('env > got', { sessionId: `s\0 1\n$(x)`, native: 'BeforeTool' })
    const env = readFileSync(join(dir, 'got'), 'utf8').split('\n').filter(Boolean).toSorted()
    expect(env.filter((line) => !/^(PATH|PWD|OLDPWD|SHLVL|_)=/.test(line))).toEqual([
      'GANTRY_AGENT=claude',
      'GANTRY_EVENT_ID=e1',
      'GANTRY_EVENT_NATIVE=BeforeTool',
      'GANTRY_EVENT_TYPE=PreToolUse',
      'GANTRY_HANDLER=1',
      'GANTRY_HOME=/some/home',
      'GANTRY_SESSION=s__1___x_',
      'HOME=/nowhere',
    ])
  })

  test('that reads nothing of a large payload does no harm', async () => {
    const raw = `{"a":"${'x'.repeat(4_000_000)}"}`
    expect(await run('exit 0', { raw })).toMatchObject({ kind: 'said', garbled: false })
    expect(await run('wc -c >&2; exit 2', { raw })).toMatchObject({ output: { reason: String(raw.length) } })
  })

  test('blocks by exit 2, with what it wrote on stderr', async () => {
    expect(await run('echo not here >&2; exit 2')).toMatchObject({
      kind: 'said',
      output: { block: true, reason: 'not here' },
    })
  })

  test('that prints what makes no sense counts as silent, and that is noted', async () => {
    expect(await run('echo hello')).toMatchObject({ kind: 'said', output: { block: false }, garbled: true })
    expect(await run(':')).toMatchObject({ kind: 'said', output: { block: false }, garbled: false })
  })

  test('fails by any other exit code, by a signal, and when it cannot be found', async () => {
    expect(await run('echo broken >&2; exit 1')).toMatchObject({ error: 'ended with exit code 1: broken' })
    expect(await run('kill -9 $$')).toMatchObject({ error: 'was ended by SIGKILL' })
    expect(await run('/no/such/program')).toMatchObject({ kind: 'failed' })
    const nowhere = { dir: '/no/such/folder', env: {}, limitMs: 1_000 }
    const { result } = runHandler('true', eventOf(), nowhere)
    expect(await result).toMatchObject({ kind: 'failed' })
  })

  test('that prints without end is stopped', async () => {
    const began = performance.now()
    expect(await run('cat /dev/zero')).toMatchObject({ error: 'printed more than 256 KB' })
    expect(await run(`head -c 30000000 /dev/zero >&2; echo '{"inject":"x"}'`)).toMatchObject({
      output: { inject: ['x'] },
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('at its limit', () => {
  test('a command is killed with all its children, also those that ignore the signal to end', async () => {
    const child = `sh -c 'trap "" TERM HUP INT; echo $$ >> pids; while :; do sleep 1; done'`
    const { dir, result } = start(`trap "" TERM HUP; echo $$ >> pids; ${child} & ${child} & wait; wait`, {
      limitMs: 700,
    })
    const pids = join(dir, 'pids')
    await until(() => existsSync(pids) && pidsIn(pids).length === 3, 'all three to run')
    expect(await result).toMatchObject({ error: 'did not end within 0.7 s and was killed' })
    for (const pid of pidsIn(pids)) await until(() => isGone(pid), `${pid} to be gone`)
  })

  test('one that left a process behind is over when it ends, and the process with it', async () => {
    const began = performance.now()
    const { dir, ...result } = await run(`sleep 60 & echo $! > pids; echo '{"inject":["x"]}'`)
    expect(result).toMatchObject({ kind: 'said', output: { inject: ['x'] } })
    expect(performance.now() - began).toBeLessThan(10_000)
    for (const pid of pidsIn(join(dir, 'pids'))) await until(() => isGone(pid), `${pid} to be gone`)
  })

  test('a process that left the group keeps nobody waiting, though it holds the pipes', async () => {
    const { dir, ...result } = await run(
      `setsid sleep 60 & echo $! > pids; sleep 0.2; echo '{"inject":["x"]}'`,
    )
    expect(result).toMatchObject({ kind: 'said', output: { inject: ['x'] } })
    for (const pid of pidsIn(join(dir, 'pids'))) process.kill(pid, 'SIGKILL')
  })

  test('one can be killed before it', async () => {
    const { dir, result, kill } = start('echo $$ > pids; sleep 60')
    await until(() => existsSync(join(dir, 'pids')) && pidsIn(join(dir, 'pids')).length === 1, 'it to run')
    kill()
    expect(await result).toMatchObject({ kind: 'failed' })
  })
})

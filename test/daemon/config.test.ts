/** The configuration of a running daemon: taken over when it is good, told of when it is not. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { gantry, journal, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

const status = (at: Places) => call(at, 'status')
const port = async (at: Places) => Number(new URL((await status(at)).http ?? 'http://x:0').port)

/** A port nobody has right now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port: free } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return free
}

function listens(at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

describe('a change', () => {
  const at = makeHome()
  let daemon: RunningDaemon
  beforeAll(async () => {
    daemon = await startDaemon(at)
  })
  afterAll(() => daemon.kill('SIGKILL'))

  test('of the port makes the daemon listen there, and nowhere else any more', async () => {
    const before = await port(at)
    const wanted = await freePort()
    writeFileSync(at.configFile, `[http]\nport = ${wanted}\n`)
    await until(async () => (await port(at)) === wanted, 'the new port')
    expect(await listens(wanted)).toBe(true)
    expect(await listens(before)).toBe(false)
    expect(JSON.parse(readFileSync(at.http, 'utf8'))).toMatchObject({ port: wanted, pid: daemon.pid })
  })

  test('back and forth in a moment ends where the file ends', async () => {
    const [one, two] = [await freePort(), await freePort()]
    for (let i = 0; i < 10; i++) {
      writeFileSync(at.configFile, `[http]\nport = ${i % 2 === 0 ? one : two}\n`)
      await Bun.sleep(i * 8)
    }
    await until(async () => (await port(at)) === two, 'the last port')
    await Bun.sleep(200)
    expect(await port(at)).toBe(two)
    expect(await listens(two)).toBe(true)
    expect(await listens(one)).toBe(false)
  })

  test('by an editor that replaces the file is seen, too', async () => {
    writeFileSync(`${at.configFile}.new`, '[http]\nenabled = false\n')
    renameSync(`${at.configFile}.new`, at.configFile)
    await until(async () => (await status(at)).http === null, 'no HTTP')
    writeFileSync(at.configFile, '[http]\nport = 0\n')
    await until(async () => (await status(at)).http !== null, 'HTTP again')
  })

  test('of the redaction counts from the next event on', async () => {
    const payload = `{"session_id":"s1","prompt":"ghp_${'a'.repeat(36)}"}`
    await sendFrame(at, { payload })
    writeFileSync(at.configFile, '[http]\nport = 0\n[redaction]\nenabled = false\n')
    await until(async () => {
      await sendFrame(at, { payload: payload.replace('s1', newId()) })
      return journal<{ raw: string }>(at).some(({ raw }) => raw.includes('ghp_'))
    }, 'redaction to be off')
    expect(journal<{ raw: string }>(at)[0]?.raw).toBe('{"session_id":"s1","prompt":"[redacted]"}')
  })

  test('of the retention is applied at once', async () => {
    const { events: before } = await status(at)
    const filler = 'x'.repeat(200_000)
    for (let i = 0; i < 20; i++) await sendFrame(at, { payload: `{"n":${i},"x":"${filler}"}` })
    expect((await status(at)).events).toBe(before + 20)
    const { lastSeq } = await status(at)
    writeFileSync(at.configFile, '[http]\nport = 0\n[retention]\nmax_mb = 1\n')
    await until(async () => (await status(at)).events < 10, 'fewer events')
    expect((await status(at)).lastSeq).toBe(lastSeq)
  })
})

describe('a file that is wrong', () => {
  test('keeps the last good one in force, is told of with file, line and key, until it is corrected', async () => {
    const at = makeHome()
    await using _ = await startDaemon(at)
    const before = await port(at)
    writeFileSync(at.configFile, '[http]\n\nport = "many"\n')
    const problem = await until(async () => (await status(at)).configProblem, 'a problem')
    expect(problem).toStartWith(`${at.configFile}:3: http.port: `)
    expect(await port(at)).toBe(before)
    expect(await listens(before)).toBe(true)

    const shown = await gantry(at, 'status')
    expect(shown.stdout).toContain(`${at.configFile}:3: http.port`)
    const doctor = await gantry(at, 'doctor')
    expect(doctor.exit).toBe(1)
    expect(doctor.stdout).toContain(`${at.configFile}:3: http.port`)
    expect(readFileSync(at.log, 'utf8')).toContain(`${at.configFile}:3: http.port`)

    writeFileSync(at.configFile, '[http]\nport = 0\n[log]\nkeep = 2\n')
    await until(async () => (await status(at)).configProblem === null, 'no problem any more')
    const findings = await call(at, 'doctor')
    expect(findings.filter(({ about }) => about === 'config')).toEqual([])
  })

  test('at the start means the defaults, and the same complaint', async () => {
    const at = makeHome('[http]\nport = 0\n[log]\nlevel = "loud"\n')
    await using _ = await startDaemon(at)
    expect((await status(at)).configProblem).toStartWith(`${at.configFile}:4: log.level: `)
    expect(await sendFrame(at, { payload: '{}' })).toMatchObject({ exit: 0 })
  })

  test('at a later start leaves the last good one in force: a mistake switches no guard off', async () => {
    const at = makeHome('[http]\nport = 0\n[guards]\npreset = "standard"\n')
    mkdirSync(at.rules, { recursive: true })
    writeFileSync(
      join(at.rules, 'a.yaml'),
      'rules: [{ id: no-ls, on: PreToolUse, when: { program: ls }, then: { deny: no } }]',
    )
    const says = async (command: string) =>
      (await call(at, 'rules.test', { agent: 'claude', command })).verdict.by ?? 'nobody'
    {
      await using _ = await startDaemon(at)
      expect([await says('rm -rf /'), await says('ls')]).toEqual(['guard:delete-system', 'no-ls'])
    }
    appendFileSync(at.configFile, 'oops = [')
    writeFileSync(join(at.rules, 'a.yaml'), 'rules: [')
    await using _ = await startDaemon(at)
    expect([await says('rm -rf /'), await says('ls')]).toEqual(['guard:delete-system', 'no-ls'])
    const { configProblem, rulesProblem } = await status(at)
    expect([configProblem, rulesProblem]).toEqual([
      expect.stringContaining('gantry.toml:'),
      expect.stringContaining('a.yaml'),
    ])
  })

  test('that goes away means the defaults', async () => {
    const at = makeHome('[http]\nenabled = false\n[log]\nnope = 1\n')
    await using _ = await startDaemon(at)
    expect((await status(at)).configProblem).not.toBeNull()
    rmSync(at.configFile)
    await until(async () => (await status(at)).configProblem === null, 'no problem')
    expect((await status(at)).http).not.toBeNull()
  })
})

/** A configuration that is refused is said by every command that shows it; `gantry config` finds, checks, shows and changes it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { GANTRY, gantry, makeHome, type RunningDaemon, run, startDaemon, tempDir, until } from '../kit.ts'

setDefaultTimeout(120_000)

/** With just this in gantry.toml; no file at all without it. */
function homeWith(config?: string): Places {
  const at = makeHome()
  if (config === undefined) rmSync(at.configFile)
  else writeFileSync(at.configFile, config)
  return at
}

const BAD_WEBHOOK = '[[webhooks]]\nname = "ci"\nurl = "ftp://127.0.0.1/"\nsecret = "hunter2-hunter2"\n'
const BAD_CHANNEL = '[[notify.channels]]\nname = "phone"\nkind = "pigeon"\n'

const CHANNEL = '[[notify.channels]]\nname = "phone"\nkind = "bell"\n'

function rulesFile(at: Places, text: string, name = 'mine.yaml'): string {
  mkdirSync(at.rules, { recursive: true })
  const file = join(at.rules, name)
  writeFileSync(file, text)
  return file
}

/** One daemon for all who need one: it started with what is refused, and takes whatever a test writes. */
const home = homeWith(`[http]\nport = 0\n${BAD_WEBHOOK}`)
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(async () => void (await daemon.kill('SIGKILL')))

/** What it refuses of gantry.toml and of the rules. */
async function refused(): Promise<(string | null)[]> {
  const { configProblem, rulesProblem } = await call(home, 'status')
  return [configProblem, rulesProblem]
}

describe('a configuration that is refused', () => {
  test('by one bad webhook is said by every command that shows what is configured, with exit 1', async () => {
    const at = home
    const where = `${at.configFile}:5: webhooks.0.url: only http and https are known`
    for (const words of [
      ['notify', 'test'],
      ['notify', 'log'],
      ['bus', 'webhooks'],
      ['bus', 'status'],
      ['bus', 'nats-info'],
      ['approvals'],
      ['config', 'show'],
    ]) {
      const ran = await gantry(at, ...words)
      expect(ran.exit, words.join(' ')).toBe(1)
      expect(ran.stderr, words.join(' ')).toContain(where)
      expect(ran.stderr, words.join(' ')).toContain('gantry config check')
      expect(ran.stdout, words.join(' ')).not.toMatch(/No channels|No webhooks/)
    }
    expect((await gantry(at, 'status')).stdout).toContain(where)
    expect((await gantry(at, 'up')).stdout).toContain(where)
    expect((await gantry(at, 'doctor')).stdout).toContain(where)
    const json = await gantry(at, 'bus', 'webhooks', '--json')
    expect(json).toMatchObject({ exit: 1, stdout: '[]\n' })
    // Set right, everything is as ever.
    writeFileSync(at.configFile, '[http]\nport = 0\n')
    await until(async () => (await refused()).every((one) => one === null), 'it is taken')
    expect((await gantry(at, 'bus', 'webhooks')).exit).toBe(0)
    expect((await gantry(at, 'notify', 'test')).stdout).toContain('No channels yet')
  })

  test('by a bad channel names it, and a bad file of rules leaves the rest alone', async () => {
    const at = home
    writeFileSync(at.configFile, `[http]\nport = 0\n${BAD_CHANNEL}`)
    const file = rulesFile(at, 'rules:\n  - id: one\n    on: Stop\n    decision: maybe\n')
    await until(async () => (await refused()).every((one) => one !== null), 'both are refused')
    const listed = await gantry(at, 'rules', 'list')
    expect(listed).toMatchObject({ exit: 1, stdout: '' })
    expect(listed.stderr).toContain(`${file}:4: rules.0.decision: takes one of`)
    const tested = await gantry(at, 'notify', 'test')
    expect(tested).toMatchObject({ exit: 1, stdout: '' })
    expect(tested.stderr).toContain(`${at.configFile}:5: notify.channels.0.kind: takes one of desktop`)
    expect(tested.stderr).not.toContain(file)
    const { stdout } = await gantry(at, 'status')
    expect(stdout).toContain(`${file}:4`)
    expect(stdout).toContain(`${at.configFile}:5`)
  })
})

describe('gantry config', () => {
  test('path prints the folder, and the files in it', async () => {
    const at = homeWith()
    expect((await gantry(at, 'config', 'path')).stdout).toBe(`${at.config}\n`)
    expect((await gantry(at, 'config', 'path', 'file')).stdout).toBe(`${at.configFile}\n`)
    expect((await gantry(at, 'config', 'path', 'rules')).stdout).toBe(`${at.rules}\n`)
    expect((await gantry(at, 'config', 'path', 'database')).stdout).toBe(`${at.database}\n`)
    expect((await gantry(at, 'config', 'path', 'token')).stdout).toBe(`${at.token}\n`)
    const inside = await run([GANTRY, 'config', 'path', 'token'], at, '', { GANTRY_RUN_ID: 'r1' })
    expect([inside.stdout, inside.stderr]).toEqual(['', expect.stringContaining('Only a person may do this')])
    expect((await gantry(at, 'config', 'path', 'nope')).exit).toBe(2)
  })

  test('check needs no daemon, and names every mistake of every file', async () => {
    const at = homeWith('[http]\nprot = 1\n\n[log]\nlevel = "loud"\n')
    const broken = rulesFile(at, 'rules: [\n')
    const wrong = rulesFile(at, 'rules:\n  - id: a\n    on: 5\n', 'second.yaml')
    const { exit, stdout } = await gantry(at, 'config', 'check')
    expect(exit).toBe(1)
    expect(stdout).toContain(`${at.configFile}:2: http.prot: no such key; did you mean http.port?`)
    expect(stdout).toContain(
      `${at.configFile}:5: log.level: takes one of debug, info, warn, error, not "loud"`,
    )
    expect(stdout).toContain(`${broken}:`)
    expect(stdout).toContain(`${wrong}:`)
    expect(stdout).toContain('gantry config edit')
    const rules = await gantry(at, 'rules', 'check')
    expect(rules.exit).toBe(1)
    expect(rules.stdout).not.toContain(at.configFile)
    writeFileSync(at.configFile, '')
    rulesFile(at, '')
    rulesFile(at, '', 'second.yaml')
    expect(await gantry(at, 'config', 'check')).toMatchObject({ exit: 0, stderr: '' })
    expect(await gantry(at, 'rules', 'check')).toMatchObject({ exit: 0, stderr: '' })
    expect((await gantry(at, 'rules', 'check', 'first.yaml')).exit).toBe(2)
  })

  test('check finds a NATS that cannot be', async () => {
    const at = homeWith('[nats]\nurl = "http://127.0.0.1:1"\n')
    const checked = await run([GANTRY, 'config', 'check'], at, '', { GANTRY_NATS: '' })
    expect(checked).toMatchObject({ exit: 1, stdout: expect.stringContaining(`${at.configFile}: nats: `) })
    expect(await gantry(at, 'config', 'check')).toMatchObject({ exit: 0 }) // it is off here
  })

  test('up says that the bus of a daemon that runs stays where it is', async () => {
    const other = { GANTRY_NATS: 'external', BD_NATS_URL: 'nats://127.0.0.1:1' }
    const { exit, stdout } = await run([GANTRY, 'up'], home, '', other)
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringContaining('BD_NATS_URL, GANTRY_NATS: '),
    })
    expect((await gantry(home, 'up')).stdout).not.toContain('GANTRY_NATS')
  })

  test('show has every key, where it comes from, and no secret; with a daemon, what that has in force', async () => {
    const secrets =
      '[http]\nenabled = false\n[nats]\nmode = "off"\ntoken = "t0psecret"\nurl = "nats://me:pa55@127.0.0.1:1"\n' +
      '[[webhooks]]\nname = "ci"\nurl = "https://127.0.0.1/hook/s3cret-path"\nsecret = "hunter2-hunter2"\n'
    const at = homeWith(secrets)
    for (const withDaemon of [false, true]) {
      await using _daemon = withDaemon ? await startDaemon(at) : undefined
      const { exit, stdout } = await gantry(at, 'config', 'show')
      expect(exit).toBe(0)
      expect(stdout).toMatch(/^http\.enabled +false +gantry\.toml:2$/m)
      expect(stdout).toMatch(/^webhooks\.0\.name +"ci" +gantry\.toml:8$/m)
      expect(stdout).toMatch(/^nats\.mode +"off" +(GANTRY_NATS|gantry\.toml:4)$/m)
      expect(stdout).not.toMatch(/t0psecret|pa55|s3cret|hunter2/)
      const rows = JSON.parse((await gantry(at, 'config', 'show', 'nats.url', '--json')).stdout)
      expect(rows).toEqual([{ key: 'nats.url', value: 'nats://127.0.0.1:1', from: 'gantry.toml:6' }])
    }
    const { stdout } = await run([GANTRY, 'config', 'show', 'nats.port'], at, '', { BD_NATS_PORT: '4333' })
    expect(stdout).toMatch(/^nats\.port +"4333" +BD_NATS_PORT$/m)
    expect((await gantry(at, 'config', 'show', 'nope')).exit).toBe(2)
    for (const [key, meant] of [
      ['htp', 'http'],
      ['htp.port', 'http.port'],
      ['webhooks.ci.ulr', 'webhooks.ci.url'],
    ] as const)
      expect((await gantry(at, 'config', 'show', key)).stderr).toContain(`Did you mean ${meant}?`)
  })

  test('set writes one value, keeps everything else, and ends when the daemon works with it', async () => {
    const before = '# my own\n[http]\nport = 0 # any\n\n# quiet\n[log]\n  level = "info"\n'
    const at = home
    writeFileSync(at.configFile, before)
    const said = await gantry(at, 'config', 'set', 'log.level', 'debug')
    expect(said).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('it is in force\n') })
    expect(readFileSync(at.configFile, 'utf8')).toBe(before.replace('"info"', '"debug"'))
    const [row] = JSON.parse((await gantry(at, 'config', 'show', 'log.level', '--json')).stdout)
    expect(row.value).toBe('debug')
    const away = await gantry(homeWith(), 'config', 'set', 'log.level', 'debug')
    expect(away).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('once the daemon runs: gantry up'),
    })
  })

  test('set compares what the file and the daemon say: not the variables of the shell, but those of the daemon', async () => {
    const at = home // its daemon has GANTRY_NATS
    writeFileSync(at.configFile, `[http]\nport = 0\n${CHANNEL}`)
    const set = async (words: readonly string[], env = {}) =>
      (await run([GANTRY, 'config', 'set', ...words], at, '', env)).stdout.split('\n')[1]
    expect(await set(['nats.port', '4334'], { BD_NATS_PORT: '4333' })).toBe('it is in force')
    expect(await set(['nats.mode', 'managed'])).toStartWith(
      "GANTRY_NATS in the daemon's environment overrides it",
    )
    // An entry of a list by its name: it says so no sooner than the daemon has it.
    expect(await set(['notify.channels.phone.after_s', '60'])).toBe('it is in force')
    const rows = await call(at, 'config.show')
    expect(rows.find(({ key }) => key === 'notify.channels.0.after_s')?.value).toBe(60)
  })

  test('set refuses what the daemon would refuse, and writes nothing', async () => {
    const text = '[http]\nport = 0\n'
    const at = homeWith(text)
    for (const [key, value, why] of [
      ['http.port', 'abc', 'http.port: takes a number, not text. Nothing was written.'],
      ['http.prot', '1', 'did you mean http.port?'],
      ['htp.port', '1', 'did you mean http?'],
      ['http', '1', 'http'],
      ['webhooks.ci.url', 'https://x.example/', 'no webhook "ci"'],
    ] as const) {
      const ran = await gantry(at, 'config', 'set', key, value)
      expect(ran.exit, key).toBe(2)
      expect(ran.stderr, key).toContain(why)
    }
    expect(readFileSync(at.configFile, 'utf8')).toBe(text)
    writeFileSync(at.configFile, '[log]\nlevel = "loud"\n')
    const other = await gantry(at, 'config', 'set', 'http.port', '0')
    expect(other.stderr).toContain(`${at.configFile}:2: log.level`)
    expect((await gantry(at, 'config', 'set', 'log.level', 'warn')).exit).toBe(0)
  })

  test('set leaves a file alone whose bytes it could not keep', async () => {
    const at = homeWith()
    const bytes = Buffer.from('# caf\xe9\n[http]\nport = 0\n', 'latin1')
    writeFileSync(at.configFile, bytes)
    const ran = await gantry(at, 'config', 'set', 'http.port', '4600')
    expect(ran).toMatchObject({ exit: 1, stdout: '' })
    expect(ran.stderr).toContain('is not UTF-8. Nothing was written.')
    expect(readFileSync(at.configFile)).toEqual(bytes)
  })

  test('set keeps a link and the mode of the file, and makes one where there is none', async () => {
    const at = homeWith()
    const own = join(tempDir(), 'dotfiles.toml')
    writeFileSync(own, '', { mode: 0o640 })
    mkdirSync(at.config, { recursive: true })
    symlinkSync(own, at.configFile)
    expect((await gantry(at, 'config', 'set', 'http.port', '0')).exit).toBe(0)
    expect(lstatSync(at.configFile).isSymbolicLink()).toBe(true)
    expect(readFileSync(own, 'utf8')).toBe('[http]\nport = 0\n')
    expect(statSync(own).mode & 0o777).toBe(0o640)
    const fresh = homeWith()
    expect((await gantry(fresh, 'config', 'set', 'notify.quiet', '22:00-07:00')).exit).toBe(0)
    expect(readFileSync(fresh.configFile, 'utf8')).toBe('[notify]\nquiet = "22:00-07:00"\n')
    expect(statSync(fresh.configFile).mode & 0o777).toBe(0o600)
  })

  test('edit opens the editor, with its arguments, and checks what it left', async () => {
    const at = homeWith()
    const editor = join(tempDir(), 'editor')
    writeFileSync(editor, '#!/bin/sh\nprintf "%s" "$1" >> "$2"\n', { mode: 0o755 })
    const edit = (text: string) =>
      run([GANTRY, 'config', 'edit'], at, '', { VISUAL: '', EDITOR: `${editor} '${text}'` })
    expect(await edit('[http]')).toMatchObject({ exit: 0, stdout: expect.stringContaining('is good') })
    const bad = await edit(' x')
    expect(bad.exit).toBe(1)
    expect(bad.stdout).toContain(`${at.configFile}:1: not valid TOML`)
    const failed = await run([GANTRY, 'config', 'edit'], at, '', { VISUAL: 'false' })
    expect(failed.exit).not.toBe(0)
  })
})

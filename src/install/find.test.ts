/** Which agents are here, without starting them where that can be. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { agents } from '../agents/index.ts'
import { findAgent, findAgents } from './find.ts'

const root = mkdtempSync(join(tmpdir(), 'gantry-find-'))
const PATIENCE_MS = 2_000
let home = ''
let count = 0

beforeEach(() => {
  home = join(root, String(++count))
  mkdirSync(home)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const env = (...folders: string[]) => ({ HOME: home, PATH: [...folders, '/usr/bin', '/bin'].join(':') })

function put(path: string, text: string): string {
  const whole = join(home, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, text)
  chmodSync(whole, 0o755)
  return whole
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  symlinkSync(target, join(home, path))
}

/** A program that leaves a trace when it is started. */
const traced = (text: string) => `#!/bin/sh\ntouch '${home}/started'\necho '${text}'\n`
const wasStarted = () => existsSync(join(home, 'started'))

async function versionOf(id: string, ...folders: string[]): Promise<string | undefined> {
  const settings = agents.get(id)?.settings
  if (!settings) throw new Error(`${id} has no settings`)
  return (await findAgent(id, settings, env(...folders), PATIENCE_MS)).version
}

describe('the version', () => {
  test("stands in npm's package, and the program is not started", async () => {
    put('lib/node_modules/@openai/codex/package.json', '{"name":"@openai/codex","version":"0.166.0"}')
    put('lib/node_modules/@openai/codex/bin/codex.js', traced('9.9.9'))
    link('bin/codex', '../lib/node_modules/@openai/codex/bin/codex.js')
    expect(await versionOf('codex', join(home, 'bin'))).toBe('0.166.0')
    expect(wasStarted()).toBe(false)
  })

  test('comes from the package of the native binary', async () => {
    const folder = 'x/@anthropic-ai/claude-code-linux-x64'
    put(`${folder}/package.json`, '{"name":"@anthropic-ai/claude-code-linux-x64","version":"2.1.325"}')
    put(`${folder}/claude`, traced('9.9.9'))
    expect(await versionOf('claude', join(home, folder))).toBe('2.1.325')
    expect(wasStarted()).toBe(false)
  })

  test('comes from the path of a native install, but not from that of Node', async () => {
    put('.local/share/claude/versions/2.1.300', traced('9.9.9'))
    link('.local/bin/claude', join(home, '.local/share/claude/versions/2.1.300'))
    expect(await versionOf('claude')).toBe('2.1.300')
    expect(wasStarted()).toBe(false)
    put('.nvm/versions/node/v20.20.2/bin/gemini', traced('gemini 0.61.0'))
    expect(await versionOf('gemini', join(home, '.nvm/versions/node/v20.20.2/bin'))).toBe('0.61.0')
    expect(wasStarted()).toBe(true)
  })

  test('of another package around the program does not count', async () => {
    put('package.json', '{"name":"my-tools","version":"1.2.3"}')
    put('bin/copilot', traced('GitHub Copilot CLI 1.0.102.\nCommit: 1.2.3'))
    expect(await versionOf('copilot', join(home, 'bin'))).toBe('1.0.102')
  })

  test('is the oldest, when several programs share their settings', async () => {
    put('a/claude', traced('2.1.325 (Claude Code)'))
    put('b/claude', traced('2.0.77 (Claude Code)'))
    expect(await versionOf('claude', join(home, 'a'), join(home, 'b'))).toBe('2.0.77')
  })

  test('is unknown when one of them does not say, and a program that hangs is killed', async () => {
    put('a/claude', traced('2.1.325 (Claude Code)'))
    put('b/claude', '#!/bin/sh\nsleep 60 & sleep 60\n')
    const started = performance.now()
    expect(await versionOf('claude', join(home, 'a'), join(home, 'b'))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})

describe('an agent is here', () => {
  test('by its program, or by its settings folder', async () => {
    mkdirSync(join(home, '.gemini'))
    put('bin/codex', traced('codex-cli 0.166.0'))
    const found = await findAgents(env(join(home, 'bin')))
    expect(found.map(({ id, version }) => [id, version])).toEqual([
      ['codex', '0.166.0'],
      ['gemini', undefined],
    ])
  })

  test('not by a folder or a file of its name that is not executable', async () => {
    mkdirSync(join(home, 'bin/codex'), { recursive: true })
    chmodSync(put('bin/gemini', ''), 0o644)
    expect(await findAgents(env(join(home, 'bin')))).toEqual([])
  })
})

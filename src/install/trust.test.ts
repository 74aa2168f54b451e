/** Codex's own word on trust, from a program that speaks as codex 0.166.0 did, and from worse ones. */
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from '../agents/index.ts'
import { isAlive } from '../core/processes/proc.ts'
import { askTrust } from './trust.ts'

const room = mkdtempSync(join(tmpdir(), 'gantry-trust-'))
afterAll(() => rmSync(room, { recursive: true, force: true }))

const client = { path: '/home/me/bin/gantry-hook' }
const question = agents.get('codex')?.settings?.trust
if (!question) throw new Error('codex has no question of trust')

const ours = (event: string, trustStatus: string, more = {}) => ({
  key: `/c/hooks.json:${event}:0:0`,
  eventName: event,
  command: `test -x '${client.path}' || exit 0; exec '${client.path}' codex ${event}`,
  enabled: true,
  trustStatus,
  ...more,
})

/** An app-server as 0.166.0 is one: it says other things first, and stays until it is told to go. */
function server(script: string): string {
  const path = join(room, `codex-${Math.random().toString(36).slice(2)}`)
  writeFileSync(path, `#!${process.execPath}\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const answering = (hooks: unknown[]) =>
  server(`
const say = (one) => process.stdout.write(JSON.stringify(one) + '\\n')
let rest = ''
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') { process.stdout.write('not json\\n'); say({ id, result: { userAgent: 'x' } }); say({ method: 'configWarning', params: {} }) }
    if (method === 'hooks/list') say({ id, result: { data: [{ cwd: params.cwds[0], hooks: ${JSON.stringify(hooks)}, warnings: [], errors: [] }] } })
  }
})
setInterval(() => {}, 1000)
if (process.argv[2] !== 'app-server') process.exit(1)
if (Object.keys(process.env).some((name) => name.endsWith('_KEY'))) process.exit(1)
`)

const ask = (program: string, patienceMs = 8_000) =>
  askTrust(program, question, {
    patienceMs,
    client,
    env: { ...process.env, OPENAI_API_KEY: 'secret' },
    cwd: '/project',
  })

describe('the trust of our hooks', () => {
  test('is what the app-server says about them, and no others', async () => {
    const hooks = [
      ours('PreToolUse', 'trusted'),
      ours('Stop', 'untrusted'),
      ours('SessionStart', 'modified'),
      ours('SessionEnd', 'managed'),
      ours('Interrupt', 'trusted', { enabled: false }),
      { ...ours('Stop', 'untrusted'), command: 'echo theirs' },
      { command: null },
    ]
    expect(await ask(answering(hooks))).toEqual([
      { event: 'PreToolUse', trusted: true, status: 'trusted' },
      { event: 'Stop', trusted: false, status: 'untrusted' },
      { event: 'SessionStart', trusted: false, status: 'modified' },
      { event: 'SessionEnd', trusted: true, status: 'managed' },
      { event: 'Interrupt', trusted: false, status: 'switched off' },
    ])
  })

  test('is unknown when the program ends, fails, or answers something else', async () => {
    expect(await ask(server('process.exit(2)'))).toBeUndefined()
    expect(await ask(server(`console.log('{"id":2,"error":{"code":-32601}}')`))).toEqual([])
    expect(await ask('/bin/true')).toBeUndefined()
  })

  test('is asked with a deadline, and leaves nothing behind', async () => {
    const mark = join(room, 'pid')
    const stuck = server(
      `require('fs').writeFileSync('${mark}', String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`,
    )
    const started = performance.now()
    expect(await ask(stuck, 1_500)).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(30_000)
    const pid = Number(await Bun.file(mark).text())
    await Bun.sleep(50)
    expect(isAlive(pid)).toBe(false)
  }, 120_000)
})

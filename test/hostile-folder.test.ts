/** Hooks run in the folders of repositories. Whatever lies there, gantry runs nothing of it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { envFor, GANTRY, makeHome, ROOT } from './kit.ts'

const dir = mkdtempSync(join(tmpdir(), 'gantry-hostile-'))
const mark = join(dir, 'ran')

beforeAll(() => {
  const evil = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x'); console.log('EVIL')`
  mkdirSync(join(dir, 'node_modules/zod'), { recursive: true })
  const files: Record<string, string> = {
    'bunfig.toml': 'preload = ["./evil.js"]\n',
    'evil.js': evil,
    '.env': 'GANTRY_HOME=/nonexistent/evil\n',
    'tsconfig.json': '{"compilerOptions":{"baseUrl":".","paths":{"zod":["./evil.js"],"*":["./evil.js"]}}}',
    'package.json': '{"name":"x","type":"module"}',
    'node_modules/zod/package.json': '{"name":"zod","main":"../../evil.js"}',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
})

async function runIn(argv: string[], env: Record<string, string>) {
  const child = Bun.spawn(argv, { cwd: dir, env, stdin: Buffer.from('{}'), stdout: 'pipe', stderr: 'pipe' })
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { output, exit: await child.exited }
}

describe('in a hostile repository', () => {
  test.each([
    ['the command from a checkout', [GANTRY]],
    ['the one binary', [join(ROOT, 'dist/gantry')]],
  ])('%s loads nothing of it', async (_what, argv) => {
    if (!existsSync(argv[0] ?? '')) throw new Error(`${argv[0]} is missing: npm run build`)
    rmSync(mark, { force: true })
    const home = makeHome()
    const env = envFor(home)
    expect((await runIn([...argv, 'up'], env)).output).toContain(home.socket)
    expect((await runIn([...argv, 'hook', 'claude', 'Stop'], env)).output).toBe('')
    expect((await runIn([...argv, 'query', 'SELECT count(*) AS n FROM events'], env)).output).toContain('1')
    expect((await runIn([...argv, 'down'], env)).exit).toBe(0)
    expect(existsSync(mark)).toBe(false)
  })
})

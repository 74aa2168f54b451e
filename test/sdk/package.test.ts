/** What npm would publish works for users of Node and of TypeScript. */
import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeHome, ROOT, run } from '../kit.ts'
import { programFor, userFolder } from './sdk-kit.ts'

const at = makeHome()
let dir = ''
beforeAll(() => {
  dir = userFolder('node')
}, 120_000)

test('every address of the package is a file in it', () => {
  const { exports, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>
    files: string[]
  }
  expect(files).toContain('dist/sdk')
  for (const targets of Object.values(exports)) {
    for (const [condition, target] of Object.entries(
      typeof targets === 'string' ? { '': targets } : targets,
    )) {
      const isBuilt = target.startsWith('./dist/')
      expect(
        existsSync(join(isBuilt ? join(dir, 'node_modules/gantry') : ROOT, target)),
        `${condition} ${target}`,
      ).toBe(true)
    }
  }
})

test('on Node it loads nothing but itself and Node', async () => {
  const code = `import { connect } from 'gantry/sdk'
    console.log(typeof connect, typeof globalThis.Bun)`
  const file = programFor('node', 'loads', code)
  const ran = await run(['node', file], at)
  expect(ran).toEqual({ exit: 0, stdout: 'function undefined\n', stderr: '' })
  // The folder has no other package, so anything else that is imported would have failed.
  expect(existsSync(join(dir, 'node_modules/zod'))).toBe(false)
})

test('TypeScript knows it, with everything checked', async () => {
  const code = `import { connect, payloadOf, type HookEvent, type SessionView } from 'gantry/sdk'
import { event } from 'gantry/sdk/testing'
export async function names(): Promise<string[]> {
  const gantry = await connect({ wait: true })
  const sessions: readonly SessionView[] = await gantry.sessions()
  for await (const one of gantry.subscribe({ type: 'Stop' })) {
    const said: string | undefined = one.message
    console.log(said)
  }
  return sessions.map(({ name }) => name)
}
const built: HookEvent = event.stop({ agent: 'codex' }).event
export const command: string | undefined = payloadOf(built, 'claude', 'PreToolUse', 'Bash')?.tool_input.command
// @ts-expect-error: a session has no such field
export const wrong = (session: SessionView) => session.nonsense
`
  writeFileSync(join(dir, 'uses.mts'), code)
  for (const name of ['zod', '@types', 'undici-types'])
    if (!existsSync(join(dir, 'node_modules', name)))
      symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name))
  for (const resolution of ['NodeNext', 'Bundler']) {
    const options = {
      target: 'ES2023',
      lib: ['ES2023', 'ESNext.Disposable'],
      module: resolution === 'Bundler' ? 'ESNext' : resolution,
      moduleResolution: resolution,
      strict: true,
      skipDefaultLibCheck: true, // TypeScript's own
      // Both find the same files, so the second only has to find them.
      skipLibCheck: resolution === 'Bundler',
      noEmit: true,
      types: ['node'],
    }
    writeFileSync(
      join(dir, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['uses.mts'] }),
    )
    const ran = await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', dir, '--singleThreaded'], at)
    expect({ resolution, exit: ran.exit, said: ran.stdout }).toEqual({ resolution, exit: 0, said: '' })
  }
}, 120_000)

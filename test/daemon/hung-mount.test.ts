/** A file system that never answers, as a network's may: whatever leads there, the daemon answers hooks and calls. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envFor, gantryJson, journal, makeHome, sendFrame, tempDir, until } from '../kit.ts'
import { processes } from '../litter.ts'
import { onHungMount } from './hung-mount.ts'

setDefaultTimeout(120_000)

const at = makeHome()
const dir = tempDir()
const hung = join(dir, 'net')
const local = join(dir, 'acme')
const mayMount = process.getuid?.() === 0 && existsSync('/dev/fuse')

let daemon: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | undefined

beforeAll(async () => {
  if (!mayMount) return
  for (const folder of [hung, join(local, '.git'), join(dir, 'pointer')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(local, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(dir, 'pointer/.git'), `gitdir: ${hung}/repository/.git\n`)
  symlinkSync(join(hung, 'work'), join(dir, 'link'))
  daemon = Bun.spawn(onHungMount(hung), {
    env: envFor(at, { GANTRY_READY: '1' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.add(daemon)
  expect((await daemon.stdout.getReader().read()).value).toBeDefined()
})

afterAll(async () => {
  daemon?.kill('SIGKILL')
  await daemon?.exited
})

async function hook(session: string, cwd: string, payload: object) {
  const text = JSON.stringify({ session_id: session, cwd, transcript_path: join(cwd, 't.jsonl'), ...payload })
  return (await sendFrame(at, { payload: text }))?.exit
}

test.skipIf(!mayMount)(
  'an agent that works on it, or whose folder leads there, holds up nobody',
  async () => {
    await gantryJson(at, 'rpc', 'effort.start', JSON.stringify({ cwd: local, skill: 'implement' }))
    const folders = [hung, join(hung, 'a/b/c'), join(dir, 'link'), join(dir, 'pointer')]
    for (const [n, cwd] of folders.entries()) {
      const write = { tool_name: 'Write', tool_input: { file_path: join(cwd, 'x.ts') }, tool_use_id: `t${n}` }
      expect(await hook(`s${n}`, cwd, { hook_event_name: 'SessionStart', source: 'startup' })).toBe(0)
      expect(await hook(`s${n}`, cwd, { hook_event_name: 'PreToolUse', ...write })).toBe(0)
      expect(await hook(`s${n}`, cwd, { hook_event_name: 'PostToolUse', ...write })).toBe(0)
    }
    expect(await hook('mine', local, { hook_event_name: 'UserPromptSubmit', prompt: 'go on' })).toBe(0)

    type Shown = { id: string; project: string; branch?: string }
    const sessions = (await gantryJson(at, 'sessions', '--json')) as Shown[]
    expect(sessions).toHaveLength(5)
    expect(sessions.find(({ id }) => id === 'mine')).toMatchObject({ project: 'acme', branch: 'main' })
    expect(sessions.find(({ id }) => id === 's1')).toMatchObject({ project: 'c' })
    await until(
      () => journal(at, "SELECT 1 FROM event_contexts WHERE session_id = 'mine' AND git LIKE '%main%'")[0],
      'the context of the session on this disk',
    )
  },
)

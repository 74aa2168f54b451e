/** The collision radar through the real hook client and a real daemon: warned, asked, listed, shown, and known after a kill. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type FileWriteView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { gantry, gantryJson, HOOK, journal, makeHome, run, startDaemon, tempDir, until } from '../kit.ts'

setDefaultTimeout(120_000)

/** A repository, as far as files tell. */
function repository(): string {
  const dir = join(realpathSync(tempDir()), 'app')
  mkdirSync(join(dir, '.git'), { recursive: true })
  return dir
}

function hooks(home: Places, cwd: string) {
  const hook = async (session: string, event: string, fields: object = {}, agent = 'claude') => {
    const payload = { session_id: session, cwd, hook_event_name: event, prompt_id: 'p', ...fields }
    return (await run([HOOK, agent, event], home, JSON.stringify(payload))).stdout
  }
  const write = (file: string) => ({
    tool_name: 'Write',
    tool_input: { file_path: join(cwd, file), content: 'x' },
  })
  const shell = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
  const after = { tool_response: {} }
  return { hook, write, shell, after }
}

const recent = (home: Places, path?: string) =>
  call(home, 'files.recent', path === undefined ? {} : { path }) as Promise<FileWriteView[]>

test('the second session is warned once, the start of a third is told, and both can be looked up, also after a kill', async () => {
  const home = makeHome()
  const app = repository()
  const { hook, write, shell, after } = hooks(home, app)
  const daemon = await startDaemon(home)
  await hook('one', 'SessionStart', { source: 'startup' })
  // It works, so the sessions that start in the same process (this test) do not replace it.
  for (const session of ['one', 'two']) await hook(session, 'UserPromptSubmit', { prompt: 'x' })
  await hook('one', 'PostToolUse', { ...shell('echo x > notes.md'), ...after })
  await until(async () => (await recent(home))[0]?.worktree === app, 'the write')

  const warned = JSON.parse(await hook('two', 'PreToolUse', write('notes.md')))
  expect(warned.hookSpecificOutput.additionalContext).toMatch(/\(claude\) wrote notes\.md \d+s ago \(Bash\)/)
  expect(warned.hookSpecificOutput.permissionDecision).toBeUndefined()
  expect(await hook('two', 'PreToolUse', write('notes.md'))).not.toContain('wrote')
  await hook('two', 'PostToolUse', { ...write('notes.md'), ...after })

  const greeted = JSON.parse(await hook('three', 'SessionStart', { source: 'startup' }))
  expect(greeted.hookSpecificOutput.additionalContext).toContain(
    '2 other agent sessions work in this worktree',
  )
  expect(greeted.systemMessage).toContain('in this worktree, too')
  expect(await hook('three', 'SessionStart', { source: 'compact' })).not.toContain('worktree')

  const raised = () =>
    journal<{ raw: string }>(home, "SELECT raw FROM events WHERE type = 'CollisionFound'").map(({ raw }) =>
      JSON.parse(raw),
    )
  expect(await until(() => raised()[0], 'the event')).toMatchObject({
    ...{ session_id: 'two', other_key: 'claude:one', kind: 'file', path: join(app, 'notes.md') },
    message: expect.stringContaining('wrote notes.md'),
  })
  const timeline = (await gantry(home, 'session', 'two', '--timeline')).stdout
  expect(timeline).toMatch(/collision .*wrote notes\.md/)
  const listed = (await gantry(home, 'files', join(app, 'notes.md'))).stdout
  expect(listed.trim().split('\n')).toHaveLength(2)
  expect(listed).toMatch(/claude +.*notes\.md +Write\n.*claude +.*notes\.md +Bash/)
  expect(await gantryJson(home, 'files', join(app, 'other.md'), '--json')).toEqual([])

  await daemon.kill('SIGKILL')
  await using _again = await startDaemon(home)
  await until(async () => (await recent(home, app)).length === 2, 'the writes of before')
  expect(await hook('two', 'PreToolUse', write('notes.md'))).not.toContain('wrote')
  expect(await hook('three', 'PreToolUse', write('notes.md'))).toContain('wrote notes.md')
})

test('the mode is changed while the daemon runs: ask, and off', async () => {
  const home = makeHome('[collisions]\nmode = "ask"\n')
  const app = repository()
  const { hook, write, after } = hooks(home, app)
  await using _daemon = await startDaemon(home)
  await hook('one', 'PostToolUse', { ...write('a'), ...after })
  await until(async () => (await recent(home)).length === 1, 'the write')
  const asked = JSON.parse(await hook('two', 'PreToolUse', write('a')))
  expect(asked.hookSpecificOutput).toMatchObject({
    permissionDecision: 'ask',
    permissionDecisionReason: expect.stringContaining('wrote a '),
  })
  // Codex cannot ask: it is warned, and never denied.
  const patch = {
    tool_name: 'apply_patch',
    tool_input: { command: '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch' },
  }
  const warned = JSON.parse(await hook('three', 'PreToolUse', patch, 'codex'))
  expect(warned.hookSpecificOutput.permissionDecision).toBeUndefined()
  expect(warned.hookSpecificOutput.additionalContext).toContain('wrote a ')
  writeFileSync(home.configFile, '[collisions]\nmode = "off"\n')
  await until(async () => !(await hook('two', 'PreToolUse', write('a'))).includes('wrote a'), 'silence')
  expect(await gantryJson(home, 'files', '--json')).toBeArray()
})

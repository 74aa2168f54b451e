/** What was around events: prompts, conversations, parents, projects, git, files, things to do. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { childrenOf } from '../../src/core/processes/proc.ts'
import { openStore } from '../../src/store/index.ts'
import { fixtureLines, isGone, journal, makeHome, startDaemon, tempDir, until } from '../kit.ts'
import { claudeTranscript, contextsOf, hook, play, sessionWith } from './kit.ts'

const GIT_ENV = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1' }

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@t']
  const ran = Bun.spawnSync(['git', ...who, ...args], { cwd, env: { ...GIT_ENV, HOME: cwd } })
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString())
  return ran.stdout.toString().trim()
}

function repository(): string {
  const dir = join(tempDir(), 'acme')
  mkdirSync(dir)
  git(dir, 'init', '-qb', 'main')
  writeFileSync(join(dir, 'a.txt'), 'a\n')
  git(dir, 'add', '.')
  git(dir, 'commit', '-qm', 'one')
  return dir
}

const contexts = async (at: Places, session = 's1') =>
  (await contextsOf(at, session)).map(({ context }) => context)

/** For all who need no daemon of their own: their sessions have other ids. */
const at = makeHome()
beforeAll(async () => void (await startDaemon(at)))

describe('ids', () => {
  test('an agent without ids for its prompts gets one for each', async () => {
    const session_id = 'prompts'
    const say = (event: string, fields = {}) =>
      hook(at, event, { session_id, ...fields }, { agent: 'gemini' })
    await say('SessionStart', { source: 'startup' })
    await say('BeforeAgent', { prompt: 'one' })
    await say('BeforeTool', { tool_name: 'x', tool_input: {} })
    await say('BeforeAgent', { prompt: 'two' })
    await say('AfterAgent', { prompt_response: 'ok' })
    const ids = (await contexts(at, session_id)).map(({ promptId }) => promptId)
    expect(ids[0]).toBeUndefined()
    expect(ids[1]).toMatch(/^prompt_\d{13}_[0-9a-z]{9}$/)
    expect(ids[2]).toBe(ids[1] as string)
    expect(ids[3]).not.toBe(ids[1])
    expect(ids[4]).toBe(ids[3] as string)
  })

  test('a turn of many tool calls is one row, and a restart goes on with it', async () => {
    const at = makeHome()
    const daemon = await startDaemon(at)
    await hook(at, 'UserPromptSubmit', { prompt: 'go' }, { agent: 'copilot' })
    for (let n = 0; n < 50; n++)
      await hook(
        at,
        'PreToolUse',
        { tool_name: 'Bash', tool_use_id: `t${n}`, tool_input: {} },
        { agent: 'copilot' },
      )
    await contexts(at)
    await daemon.kill('SIGKILL')
    await using _again = await startDaemon(at)
    await hook(at, 'Stop', {}, { agent: 'copilot' })
    const ids = new Set((await contexts(at)).map(({ promptId }) => promptId))
    expect(ids.size).toBe(1)
    expect(journal(at, 'SELECT * FROM event_contexts')).toHaveLength(1)
  })

  test('/clear goes on with the conversation, a new session begins one', async () => {
    const first = { session_id: 'first', cwd: '/w' }
    const second = { session_id: 'second', cwd: '/w' }
    const third = { session_id: 'third', cwd: '/w' }
    await hook(at, 'SessionStart', { ...first, source: 'startup' })
    await hook(at, 'SessionEnd', { ...first, reason: 'clear' })
    await hook(at, 'SessionStart', { ...second, source: 'clear' })
    await hook(at, 'SessionEnd', { ...second, reason: 'clear' })
    await hook(at, 'SessionStart', { ...third, source: 'clear' })
    await hook(at, 'SessionStart', { session_id: 'other', source: 'startup', cwd: '/w' })
    const found = await contextsOf(at, 'first', 'second', 'third', 'other')
    const byHook = found.map(({ session_id, context }) => [session_id, context.conversationId])
    expect(byHook).toHaveLength(6)
    expect(byHook.filter(([session]) => session !== 'other').every(([, id]) => id === 'first')).toBe(true)
    expect(byHook.at(-1)).toEqual(['other', 'other'])
  })

  test('a fork of Claude Code goes on with the conversation that its transcript was copied from', async () => {
    await hook(at, 'UserPromptSubmit', { session_id: 'base', prompt: 'hi', prompt_id: 'prompt-1' })
    await hook(at, 'UserPromptSubmit', { session_id: 'beside', prompt: 'something else' })
    const timestamp = new Date().toISOString()
    const transcript_path = claudeTranscript(at, 'forked', [
      { type: 'mode', sessionId: 'forked' },
      { type: 'user', timestamp, promptId: 'another', message: { role: 'user', content: 'hi' } },
    ])
    const forked = { session_id: 'forked', transcript_path }
    await hook(
      at,
      'SessionStart',
      { ...forked, source: 'fork' },
      { env: { CLAUDE_CONFIG_DIR: join(at.home ?? '', '.claude') } },
    )
    const view = await sessionWith(
      at,
      'forked',
      ({ conversationId }) => conversationId,
      'the origin of the fork',
    )
    expect(view).toMatchObject({ conversationId: 'base', prevSessionId: 'base' })
    // A fork of the fork belongs to the same conversation, by the session that Codex and /fork name.
    const again = claudeTranscript(at, 'again', [{ type: 'user', forkedFrom: { sessionId: 'forked' } }])
    await hook(
      at,
      'SessionStart',
      { session_id: 'again', source: 'fork', transcript_path: again },
      { env: { CLAUDE_CONFIG_DIR: join(at.home ?? '', '.claude') } },
    )
    const last = await sessionWith(
      at,
      'again',
      ({ conversationId }) => conversationId,
      'the origin of the second',
    )
    expect(last).toMatchObject({ conversationId: 'base', prevSessionId: 'forked' })
    const [line] = (await contexts(at, 'again')).slice(-1)
    expect(line?.conversationId).toBe('base')
  })

  test('a transcript outside of the agent’s folder is not opened for it', async () => {
    const session_id = 'outside'
    const path = join(tempDir(), 'evil.jsonl')
    writeFileSync(path, '{"type":"user","forkedFrom":{"sessionId":"stolen"}}\n')
    await hook(at, 'SessionStart', { session_id, source: 'fork', transcript_path: path })
    for (let n = 0; n < 8; n++) await hook(at, 'Notification', { session_id, message: 'x' })
    const found = (await contexts(at, session_id)).map(({ conversationId }) => conversationId)
    expect(found).toEqual(Array.from({ length: 9 }, () => session_id))
  })
})

describe('git', () => {
  test('events have the state of the repository they happened in, worktrees their own', async () => {
    const session_id = 'trees'
    const dir = repository()
    git(dir, 'remote', 'add', 'origin', 'https://x:y@git.example/acme.git')
    const tree = join(tempDir(), 'tree')
    git(dir, 'worktree', 'add', '-qb', 'side', tree)
    await hook(at, 'SessionStart', { session_id, cwd: dir, source: 'startup' })
    await hook(at, 'SubagentStart', { session_id, cwd: tree, agent_id: 'a1' })
    const [main, side] = await contexts(at, session_id)
    const commit = git(dir, 'rev-parse', 'HEAD')
    const repo = 'https://git.example/acme.git'
    expect(main).toMatchObject({ project_dir: dir, git: { repo, branch: 'main', commit, dirty: false } })
    expect(side).toMatchObject({ project_dir: tree, git: { repo, branch: 'side', commit } })
    expect(JSON.stringify(await contexts(at, session_id))).not.toContain('x:y')
  })

  test('a commit and a change of branch are noted from then on, and never before', async () => {
    const at = makeHome('[enrichment]\ndirty = false\n')
    await using _daemon = await startDaemon(at)
    const dir = repository()
    const before = git(dir, 'rev-parse', 'HEAD')
    await hook(at, 'Notification', { cwd: dir, message: 'one' })
    await contexts(at)
    git(dir, 'checkout', '-qb', 'feature')
    writeFileSync(join(dir, 'b.txt'), '')
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', 'two')
    const after = git(dir, 'rev-parse', 'HEAD')
    await until(
      async () => {
        await hook(at, 'Notification', { cwd: dir, message: 'again' })
        return (await contexts(at)).at(-1)?.git?.branch === 'feature'
      },
      'the new branch',
      15_000,
    )
    const seen = await contexts(at)
    expect(seen[0]?.git).toMatchObject({ branch: 'main', commit: before })
    expect(seen.at(-1)?.git).toMatchObject({ branch: 'feature', commit: after })
    expect(seen[0]?.git?.dirty).toBeUndefined()
  })

  test('switched off, nothing is read', async () => {
    const at = makeHome('[enrichment]\ngit = false\n')
    await using _daemon = await startDaemon(at)
    await hook(at, 'Stop', { cwd: repository() })
    expect((await contexts(at))[0]?.git).toBeUndefined()
  })

  test('switched off altogether, nothing is noted of events, and nobody waits for it', async () => {
    const at = makeHome('[enrichment]\nenabled = false\n')
    await using _daemon = await startDaemon(at)
    const dir = repository()
    await hook(at, 'UserPromptSubmit', { cwd: dir, prompt: 'go' })
    await hook(at, 'PostToolUse', { cwd: dir, tool_name: 'Write', tool_input: { file_path: 'a.txt' } })
    const [, post] = await contexts(at)
    expect(post).toMatchObject({ conversationId: 's1' })
    expect(post?.git ?? post?.project_dir ?? post?.files).toBeUndefined()
    await until(() => journal(at, "SELECT 1 FROM marks WHERE name = 'context'").length === 1, 'the mark')
    expect(journal(at, 'SELECT * FROM event_contexts')).toEqual([])
    expect(journal(at, 'SELECT * FROM file_changes')).toEqual([])
  })

  test('a repository that hangs or vanishes holds up no hook, and leaves no process behind', async () => {
    const at = makeHome()
    const daemon = await startDaemon(at)
    const dir = repository()
    rmSync(join(dir, '.git/info/exclude'))
    Bun.spawnSync(['mkfifo', join(dir, '.git/info/exclude')]) // git status waits for somebody to write
    for (let n = 0; n < 20; n++)
      expect(await hook(at, 'PreToolUse', { cwd: dir, tool_name: 'x' })).toMatchObject({ exit: 0 })
    const [first] = await contexts(at)
    expect(first?.git).toMatchObject({ branch: 'main' })
    expect(first?.git?.dirty).toBeUndefined()
    rmSync(dir, { recursive: true })
    expect(await hook(at, 'Stop', { cwd: dir })).toMatchObject({ exit: 0 })
    const children = childrenOf(daemon.pid)
    expect(await daemon.kill('SIGTERM')).toBe(0)
    for (const pid of children) await until(() => isGone(pid), `the end of ${pid}`)
  })
})

describe('files', () => {
  const files = (session: string) => call(at, 'sessions.files', { session })

  test('created or modified is what was there before, whatever the agent says', async () => {
    const session_id = 'writer'
    const dir = tempDir()
    writeFileSync(join(dir, 'old.txt'), 'old')
    const write = async (path: string, id: string, said?: string) => {
      const call = {
        session_id,
        cwd: dir,
        tool_name: 'Write',
        tool_use_id: id,
        tool_input: { file_path: path, content: 'x' },
      }
      await hook(at, 'PreToolUse', call)
      await contexts(at, session_id) // so it was looked at; the next test has an agent that is quicker
      writeFileSync(join(dir, path), 'x')
      await hook(at, 'PostToolUse', { ...call, ...(said ? { tool_response: { type: said } } : {}) })
    }
    await hook(at, 'UserPromptSubmit', { session_id, prompt: 'go', cwd: dir })
    await write('new.txt', 't1', 'update')
    await write('old.txt', 't2', 'create')
    await write('new.txt', 't3')
    await hook(at, 'Stop', { session_id, cwd: dir })
    expect(await files(session_id)).toEqual([
      { path: join(dir, 'new.txt'), change: 'modified', created: true, changes: 2 },
      { path: join(dir, 'old.txt'), change: 'modified', created: false, changes: 1 },
    ])
    const found = await contextsOf(at, session_id)
    const posts = found.filter(({ type }) => type === 'PostToolUse')
    expect(posts.map(({ context }) => context.files)).toEqual([
      [{ path: join(dir, 'new.txt'), change: 'created' }],
      [{ path: join(dir, 'old.txt'), change: 'modified' }],
      [{ path: join(dir, 'new.txt'), change: 'modified' }],
    ])
    expect(found.at(-1)?.context.editedFiles).toEqual([join(dir, 'new.txt'), join(dir, 'old.txt')])
  })

  test('an agent that writes before anybody could look is believed, or it was written', async () => {
    const dir = tempDir()
    const began = Date.now() - 1_000
    const session_id = 'quick'
    const call = (path: string) => ({
      session_id,
      cwd: dir,
      tool_name: 'Write',
      tool_use_id: path,
      tool_input: { file_path: path },
    })
    for (const path of ['said.txt', 'unsaid.txt']) {
      writeFileSync(join(dir, path), 'x')
      await hook(at, 'PreToolUse', call(path), { header: { at: began } })
    }
    await hook(at, 'PostToolUse', { ...call('said.txt'), tool_response: { type: 'create' } })
    await hook(at, 'PostToolUse', call('unsaid.txt'))
    expect(await files(session_id)).toMatchObject([
      { path: join(dir, 'unsaid.txt'), change: 'written' },
      { path: join(dir, 'said.txt'), change: 'created' },
    ])
  })

  test('where nobody looked before, the agent’s word counts, else it was written', async () => {
    const session_id = 'unseen'
    const call = (path: string) => ({
      session_id,
      tool_name: 'Write',
      tool_use_id: path,
      tool_input: { file_path: path },
    })
    await hook(at, 'PostToolUse', { ...call('/w/a'), tool_response: { type: 'create' } })
    await hook(at, 'PostToolUse', call('/w/b'))
    expect(await files(session_id)).toMatchObject([
      { path: '/w/b', change: 'written' },
      { path: '/w/a', change: 'created' },
    ])
  })

  test('recorded sessions of Codex and Gemini CLI: patches, writes and edits', async () => {
    await play(at, 'codex/0.166.0/apply-patch.jsonl')
    await play(at, 'gemini/0.61.0/basic.jsonl')
    const { lastSeq } = await call(at, 'status')
    await call(at, 'events.contexts', { seqs: [lastSeq] })
    const rows = journal<{ agent: string; path: string; change: string }>(
      at,
      "SELECT agent, path, change FROM file_changes WHERE agent IN ('codex', 'gemini') ORDER BY seq, path",
    )
    expect(rows).toEqual([
      { agent: 'codex', path: '/home/dev/acme/hello.txt', change: 'modified' },
      { agent: 'codex', path: '/home/dev/acme/new.txt', change: 'created' },
      { agent: 'gemini', path: '/home/dev/acme/out.txt', change: 'created' },
      { agent: 'gemini', path: '/home/dev/acme/out.txt', change: 'modified' },
    ])
    expect(existsSync('/home/dev/acme')).toBe(false)
  })
})

test('things to do are those that the agent keeps, old and new tools', async () => {
  const todosOf = async (file: string) => {
    await play(at, file)
    const session = String(fixtureLines(file)[0]?.payload.session_id)
    return (await call(at, 'sessions.get', { session })).todos
  }
  const old = await todosOf('claude/2.0.77/old-basic.jsonl')
  expect([await todosOf('claude/2.1.325/basic.jsonl'), old]).toEqual([
    [{ id: '1', text: 'first task', status: 'completed' }],
    [{ text: 'x', status: 'pending' }],
  ])
})

test('retention takes contexts and files with their events', async () => {
  const at = makeHome()
  const daemon = await startDaemon(at)
  for (let n = 0; n < 5; n++) {
    await Bun.sleep(2) // what is forgotten is older by a millisecond
    await hook(at, 'UserPromptSubmit', { prompt: `p${n}`, prompt_id: `p${n}` })
    await hook(at, 'PostToolUse', {
      tool_name: 'Write',
      tool_use_id: `t${n}`,
      tool_input: { file_path: `/w/${n}` },
    })
  }
  await contexts(at)
  expect(await daemon.kill('SIGTERM')).toBe(0)
  const kept = "SELECT seq FROM event_contexts WHERE prompt_id = 'p3'"
  const first = journal<{ seq: number }>(at, kept)[0]?.seq ?? 0
  const store = openStore(at.database)
  const now = (store.bySeq(first)?.receivedAt ?? 0) + 1
  while (store.retain({ maxAgeMs: 1, maxBytes: 1e12 }, now));
  store.close()
  const prompts = journal<{ prompt_id: string }>(at, 'SELECT prompt_id FROM event_contexts ORDER BY seq')
  expect(prompts.map(({ prompt_id }) => prompt_id)).toEqual(['p3', 'p4'])
  expect(journal(at, 'SELECT path FROM file_changes')).toEqual([{ path: '/w/3' }, { path: '/w/4' }])
})

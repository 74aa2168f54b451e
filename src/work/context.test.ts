import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { isInside } from '../core/files/paths.ts'
import { Git } from '../git/git.ts'
import { effortOf, newWindow, windowOf, workIn } from './context.ts'
import { effortFor, finishEffort } from './efforts/efforts.ts'
import { projectAround, projectFinder } from './efforts/projects.ts'
import { bench } from './testkit.ts'

const git = (cwd: string, ...args: string[]) => {
  const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b' }
  const env = {
    ...author,
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const done = Bun.spawnSync(['git', ...args], { cwd, env })
  if (!done.success) throw new Error(done.stderr.toString())
}

const project = (id: number, path: string) => ({ id, path, name: path })
const input = { sessionId: 's1' }

describe('a project', () => {
  test('is the one with the longest path around the folder', () => {
    const all = [project(1, '/home'), project(2, '/home/dev/app'), project(3, '/home/dev')]
    const at = (cwd: string) => projectAround(all, cwd, () => [])?.id
    expect(at('/home/dev/app/src')).toBe(2)
    expect(at('/home/dev/app')).toBe(2)
    expect(at('/home/dev/application')).toBe(3)
    expect(at('/home/x')).toBe(1)
    expect(at('/var')).toBeUndefined()
    expect(isInside('/anything', '/')).toBe(true)
  })

  test('is found from a linked worktree, by the repository it belongs to', async () => {
    const dir = tempDir()
    const root = join(dir, 'acme')
    mkdirSync(root)
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'x')
    git(root, 'worktree', 'add', '-q', '-b', 'fix', join(dir, 'elsewhere'))
    mkdirSync(join(dir, 'elsewhere/deep'))
    const all = [project(1, root)]
    const reader = new Git({ env: {}, places: { home: dir }, asksGit: () => false })
    const rootsOf = (cwd: string) => reader.rootsOf(cwd)
    await reader.see([dir, join(dir, 'elsewhere/deep')])
    expect(projectAround(all, join(dir, 'elsewhere/deep'), rootsOf)?.id).toBe(1)
    expect(projectAround(all, dir, rootsOf)).toBeNull()
    reader.close()
  })

  test('is cached, and looked up at once when there is a new one', () => {
    let all = [project(1, '/a')]
    let now = 0
    let looked = 0
    const roots = () => {
      looked += 1
      return []
    }
    const find = projectFinder(
      () => all,
      roots,
      () => now,
    )
    for (let i = 0; i < 1_000; i++) expect(find('/b/x')).toBeNull()
    expect(looked).toBe(1)
    all = [...all, project(2, '/b')]
    expect(find('/b/x')?.id).toBe(2)
    expect(find('/b/../a/x')?.id).toBe(1)
    now = 60_000
    all.push(project(3, '/b/x'))
    expect(find('/b/x')?.id).toBe(3)
  })
})

describe('the effort of an event', () => {
  test('is null after the first missing link', () => {
    const { context, begin, dir } = bench()
    expect(workIn(context(), dir)).toEqual({ project: null, effort: null })
    begin()
    expect(workIn(context(), undefined)).toEqual({ project: null, effort: null })
    expect(workIn(context(), '/elsewhere').project).toBeNull()
    expect(workIn(context(), dir).effort?.skill).toBe('implement')
    expect(workIn(context({ AGENT_ID: 'nobody' }), dir)).toMatchObject({ project: {}, effort: null })
  })

  test('is the latest one, unless AGENT_ID selects one', () => {
    const { context, begin, dir } = bench()
    const first = begin({ agentId: 'a1' })
    const second = begin({ agentId: 'a2' })
    const third = begin()
    const of = (env = {}) => workIn(context(env), dir).effort?.id
    expect([of(), of({ AGENT_ID: 'a1' }), of({ AGENT_ID: 'a2' })]).toEqual([third.id, first.id, second.id])
  })

  test('stays with a named agent’s session when an event lacks the name', () => {
    const { context, begin, dir, hear } = bench()
    const own = begin({ agentId: 'a1' })
    hear('UserPromptSubmit', { client: { env: { AGENT_ID: 'a1' } } })
    begin({ agentId: 'a2' })
    expect(effortOf(context(), { ...input, cwd: dir })?.id).toBe(own.id)
    expect(effortOf(context({ AGENT_ID: 'a2' }), { ...input, cwd: dir })?.agentId).toBe('a2')
  })

  test('of an unnamed session is preferably one without an agent', () => {
    const { context, begin, dir, hear, commit, store } = bench()
    const common = begin()
    hear('UserPromptSubmit')
    const named = begin({ agentId: 'tester' })
    expect(workIn(context(), dir).effort?.id).toBe(common.id)
    hear('PreToolUse', { tool: { name: 'Bash', input: {} } })
    expect(store.work.sessions(named.id)).toEqual([])
    expect(effortFor(context(), undefined, dir).id).toBe(common.id)
    commit(() => finishEffort(context(), common))
    hear('PreToolUse', { tool: { name: 'Bash', input: {} } })
    expect(store.work.sessions(named.id)).toEqual([]) // it has nothing to do with the tester's
  })

  test('changes with an agent that has no name', () => {
    const { begin, hear, window, store } = bench()
    begin()
    hear('UserPromptSubmit')
    const first = window()
    const next = begin({ skill: 'review' })
    hear('UserPromptSubmit')
    expect(window()).toMatchObject({ effortId: next.id, prevSessionId: null, endedAt: null })
    expect(store.work.session(first.id)?.endReason).toBe('superseded')
  })

  test('of a sub-agent is its parent’s, even if there is a newer one', () => {
    const { begin, hear, window } = bench()
    const parent = begin()
    hear('UserPromptSubmit')
    hear('SubagentStart', { agentId: 'c1' })
    begin({ skill: 'review' })
    hear('PreToolUse', { agentId: 'c1', tool: { name: 'Bash', input: {} } })
    expect(window('s1', 'c1')).toMatchObject({ effortId: parent.id, heartbeatCounter: 1 })
    expect(window().effortId).toBe(parent.id)
  })
})

describe('a window', () => {
  test('that starts is linked to the last one of its effort', () => {
    const { context, begin, commit } = bench()
    const effort = begin()
    const first = commit(() => newWindow(context(), effort, input))
    const second = commit(() => newWindow(context(), effort, { sessionId: 's2' }))
    expect([first.prevSessionId, second.prevSessionId]).toEqual([null, first.id])
    const child = commit(() => newWindow(context(), effort, { ...input, agentId: 'c1' }))
    expect(child.prevSessionId).toBe(first.id)
    expect(commit(() => newWindow(context(), effort, { sessionId: 's3' })).prevSessionId).toBe(second.id)
  })

  test('that starts ends the previous one of the same session, and no other', () => {
    const { context, begin, commit, store } = bench()
    const effort = begin()
    const first = commit(() => newWindow(context(), effort, input))
    const child = commit(() => newWindow(context(), effort, { ...input, agentId: 'c1' }))
    const other = commit(() => newWindow(context(), effort, { sessionId: 's2' }))
    commit(() => newWindow(context(), effort, input))
    expect(store.work.session(first.id)).toMatchObject({ endReason: 'superseded' })
    expect(store.work.session(child.id)?.endedAt).toBeNull()
    expect(store.work.session(other.id)?.endedAt).toBeNull()
  })

  test('that is open is the same for every event', () => {
    const { context, begin, commit } = bench()
    const effort = begin()
    const first = commit(() => windowOf(context(), effort, input))
    expect(commit(() => windowOf(context(), effort, input)).id).toBe(first.id)
  })

  test('has the id of its run', () => {
    const { context, begin, commit } = bench()
    const effort = begin()
    expect(commit(() => newWindow(context({ GANTRY_RUN_ID: 'r1' }), effort, input)).runId).toBe('r1')
  })

  test('continues the last of its own run, else any that has ended', () => {
    const { context, begin, commit, store } = bench()
    const effort = begin()
    const add = (sessionId: string, GANTRY_RUN_ID?: string) =>
      commit(() => newWindow(context(GANTRY_RUN_ID ? { GANTRY_RUN_ID } : {}), effort, { sessionId }))
    const first = add('a', 'F.1')
    const other = add('b', 'G.1')
    const alike = add('c', 'F1.1')
    expect(add('d', 'F.2').prevSessionId).toBe(first.id)
    commit(() => store.work.endSessions({ agent: 'claude', nativeId: 'b' }, 5, 'x'))
    expect(add('e').prevSessionId).toBe(other.id)
    expect(add('f', 'F1.2').prevSessionId).toBe(alike.id)
  })

  test('ends with its effort', () => {
    const { context, begin, hear, window, commit, store } = bench()
    const effort = begin()
    hear('UserPromptSubmit')
    hear('SubagentStart', { agentId: 'c1' })
    commit(() => finishEffort(context(), effort))
    expect(window().endReason).toBe('effort finished')
    expect(window('s1', 'c1').endReason).toBe('effort finished')
    expect(store.work.countActive()).toBe(0)
  })
})

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { bench, DEFAULT_WORK_SETTINGS, tool } from '../testkit.ts'
import { appendLog, dehydrate, effortFor, logEffort, movePhase, startEffort, taskTitle } from './efforts.ts'

const payload = { task: 'x', decisions: [], files: [], nextSteps: ['y'] }

describe('an effort', () => {
  test('starts in a project of its own, and is numbered within its task', () => {
    const { begin, store, dir } = bench()
    const first = begin({ title: 'Fast search!', phase: 'plan', keywords: ['fts'] })
    const second = begin({ title: 'Fast search!', skill: 'review' })
    const other = begin({ title: 'Other' })
    expect([first, second, other].map(({ ordinal }) => ordinal)).toEqual([1, 2, 1])
    expect(first.taskId).toBe(join(dir, 'tasks/1-fast-search'))
    expect(second.taskId).toBe(first.taskId)
    expect(store.work.task(first.taskId)).toMatchObject({ title: 'Fast search!', keywords: ['fts'] })
    expect(store.work.projects()).toMatchObject([{ path: dir }])
    expect(store.work.phases(first.id).map(({ phase }) => phase)).toEqual(['plan'])
    expect(taskTitle(store.work, second)).toBe('Fast search!')
  })

  test('of a repository belongs to it, even below a project of the home folder', () => {
    const home = tempDir()
    const app = join(home, 'app')
    const { context, commit, store } = bench({ rootsOf: (cwd) => (cwd.startsWith(app) ? [app] : []) })
    commit(() => startEffort(context(), { cwd: home, skill: 'plan' }))
    commit(() => startEffort(context(), { cwd: join(app, 'src/'), skill: 'fix' }))
    expect(store.work.projects().map(({ path }) => path)).toEqual([home, app])
    expect(effortFor(context(), undefined, join(app, 'src')).skill).toBe('fix')
    expect(effortFor(context(), undefined, home).skill).toBe('plan')
  })

  test('gets its folder after the commit; without one it begins all the same', () => {
    const skills = { fix: { modes: [], phases: [], limits: {} } }
    const settings = () => ({ ...DEFAULT_WORK_SETTINGS, skills })
    const one = bench({ settings })
    const { journal } = one.store
    const commit = journal.commit.bind(journal)
    const made = () => existsSync(join(one.dir, 'tasks'))
    const during: boolean[] = []
    journal.commit = (work) =>
      commit(() => {
        const result = work()
        during.push(made())
        return result
      })
    one.hear('UserPromptSubmit', { prompt: '/fix it' })
    expect([during, made()]).toEqual([[false], true])
    const other = bench({ settings })
    writeFileSync(join(other.dir, 'tasks'), 'a file')
    expect(other.hear('UserPromptSubmit', { prompt: '/fix it' }).context?.join()).toContain('began effort 1')
  })

  test('keeps a history of its phases', () => {
    const { begin, context, commit, store } = bench()
    const effort = begin({ phase: 'plan' })
    commit(() => movePhase(context(), effort, 'build'))
    commit(() => movePhase(context(), effort, 'test'))
    expect(store.work.effort(effort.id)?.currentPhase).toBe('test')
    expect(store.work.phases(effort.id).map(({ phase }) => phase)).toEqual(['plan', 'build', 'test'])
  })

  test('that does not exist gives an error that says what to do', () => {
    const { context, dir } = bench()
    expect(() => effortFor(context(), undefined, dir)).toThrow('gantry effort start')
    expect(() => effortFor(context(), 9, undefined)).toThrow('There is no effort 9')
  })
})

describe('a log', () => {
  test('resets the count of every open window, and is a message', () => {
    const { begin, hear, context, commit, window, store } = bench()
    const effort = begin()
    for (let i = 0; i < 4; i++) hear('PreToolUse', tool('Bash'))
    hear('SubagentStart', { agentId: 'c1' })
    hear('PreToolUse', { ...tool('Bash'), agentId: 'c1' })
    expect([window().heartbeatCounter, window('s1', 'c1').heartbeatCounter]).toEqual([4, 1])
    commit(() => logEffort(context(), effort, 'half way'))
    expect([window().heartbeatCounter, window('s1', 'c1').heartbeatCounter]).toEqual([0, 0])
    const logged = store.work.sessions(effort.id).flatMap(({ id }) => store.work.messages(id))
    expect(logged).toMatchObject([{ role: 'log', content: 'half way' }])
  })

  test('is a file of the effort with its ordinal', () => {
    const { begin } = bench()
    begin()
    const effort = begin({ skill: 'code-review' })
    const path = appendLog(effort, 'one\ntwo', 0)
    expect(path).toBe(join(effort.taskId, '2_CODE_REVIEW_LOG.md'))
    appendLog(effort, 'three', 0)
    expect(readFileSync(path, 'utf8')).toBe(
      '- 1970-01-01T00:00:00.000Z one\n  two\n- 1970-01-01T00:00:00.000Z three\n',
    )
  })

  test('does not follow a link at the path of its file', () => {
    const { begin } = bench()
    const dir = tempDir()
    const victim = join(dir, 'bashrc')
    writeFileSync(victim, 'mine')
    const taskDir = join(dir, 'task')
    mkdirSync(taskDir)
    symlinkSync(victim, join(taskDir, '1_IMPLEMENT_LOG.md'))
    const effort = begin({ taskDir })
    expect(() => appendLog(effort, 'x', 0)).toThrow()
    expect(readFileSync(victim, 'utf8')).toBe('mine')
  })
})

describe('a dehydration payload', () => {
  test('is stored with the window, once there is one', () => {
    const { begin, hear, context, commit, window } = bench()
    const effort = begin()
    expect(() => commit(() => dehydrate(context(), effort, payload))).toThrow('no session yet')
    hear('UserPromptSubmit')
    expect(commit(() => dehydrate(context(), effort, payload))).toMatchObject({ nativeId: 's1', runId: null })
    expect(JSON.parse(window().dehydrationPayload ?? '')).toEqual(payload)
  })

  test('over the limit is refused, and nothing is stored', () => {
    const { begin, hear, context, commit, window } = bench()
    const effort = begin()
    hear('UserPromptSubmit')
    const huge = { ...payload, decisions: Array(100).fill('ä'.repeat(2_000)) }
    expect(() => commit(() => dehydrate(context(), effort, huge))).toThrow('at most 65536 are kept')
    expect(window().dehydrationPayload).toBeNull()
  })

  test('belongs to the window of the calling run', () => {
    const { begin, hear, context, commit, window } = bench()
    const effort = begin()
    hear('UserPromptSubmit', { client: { env: { GANTRY_RUN_ID: 'r1' } } })
    hear('UserPromptSubmit', { sessionId: 's2', client: { env: { GANTRY_RUN_ID: 'r2' } } })
    commit(() => dehydrate(context({ GANTRY_RUN_ID: 'r1' }), effort, payload))
    expect([window('s1').dehydrationPayload !== null, window('s2').dehydrationPayload]).toEqual([true, null])
  })
})

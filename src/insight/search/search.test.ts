/** The process beside the daemon, the real one and some that do not do as they should. */
import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, isGone, silentLog, tempDir, until } from '../../../test/kit.ts'
import { selfCommand } from '../../core/processes/self.ts'
import { openStore } from '../../store/index.ts'
import { Search, type SearchParts } from './search.ts'

const IDLE_MS = 8_000
const opened: Search[] = []
afterAll(() => Promise.all(opened.map((search) => search.close())))

function stage(parts: Partial<SearchParts> = {}) {
  const dir = tempDir()
  const store = openStore(join(dir, 'gantry.db'))
  const log = silentLog()
  const search = new Search({
    places: { database: join(dir, 'gantry.db'), index: join(dir, 'search.db') },
    log,
    enabled: () => true,
    lastSeq: () => store.journal.lastSeq,
    ...parts,
    // On a busy machine it takes the process seconds to start.
    limits: { tellMs: 10, startMs: 10, idleMs: 60_000, askMs: 60_000, ...parts.limits },
  })
  opened.push(search)
  const say = (id: string, text: string) => {
    const raw = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt: text })
    const type = 'UserPromptSubmit'
    store.journal.commit(() => store.journal.append(eventOf({ id, type, native: type, raw })))
    search.committed()
  }
  const ids = async (text: string) => {
    const ask = () => search.ask({ text, order: 'newest', limit: 10 })
    // On a busy machine an answer may leave out what is not in the index yet, and says so.
    const { hits } = await until(async () => [await ask()].find(({ behind }) => behind === 0), 'the index')
    return hits.map(({ id }) => id)
  }
  const refused = (text: string) =>
    search.ask({ text, order: 'newest', limit: 10 }).then(
      () => '',
      (error: Error) => error.message,
    )
  return { dir, search, say, ids, refused, log }
}

const pidOf = (search: Search) => search.pid ?? 0

describe('search', () => {
  test('finds what was committed a moment ago', async () => {
    const { say, ids } = stage()
    say('a', 'hello there')
    expect(await ids('hello')).toEqual(['a'])
    say('b', 'hello again')
    expect(await ids('hello')).toEqual(['b', 'a'])
  })

  test('indexes commits without a query', async () => {
    const { say, search } = stage()
    say('a', 'hello there')
    await until(() => search.at === 1, 'the index')
  })

  test('ends its process when idle, and starts it when there is work', async () => {
    const { say, ids, search } = stage({ limits: { idleMs: IDLE_MS } })
    say('a', 'hello')
    expect(await ids('hello')).toEqual(['a'])
    const pid = pidOf(search)
    await until(() => search.pid === undefined && isGone(pid), 'the end of it', 60_000)
    expect(search.problem).toBeUndefined()
    expect(await ids('hello')).toEqual(['a'])
    expect(pidOf(search)).not.toBe(pid)
  })

  test('survives a killed process', async () => {
    const { say, ids, search, log } = stage()
    say('a', 'hello')
    await ids('hello')
    process.kill(pidOf(search), 'SIGKILL')
    await until(() => log.lines.length > 0, 'a word about it')
    say('b', 'hello')
    expect(await ids('hello')).toEqual(['b', 'a'])
  })

  test('rebuilds the index if its file breaks while idle', async () => {
    const { dir, say, ids, search } = stage({ limits: { idleMs: IDLE_MS } })
    say('a', 'hello')
    await ids('hello')
    await until(() => search.pid === undefined, 'the end of the process', 60_000)
    writeFileSync(join(dir, 'search.db'), 'broken'.repeat(10_000))
    expect(await ids('hello')).toEqual(['a'])
  })

  test('does not wait forever for a process that hangs, and says so to the question that it hangs on', async () => {
    const command = ['sh', '-c', `echo '{"ready":true}'; exec sleep 60`]
    const { refused, search } = stage({ command, limits: { askMs: 500 } })
    let pid = 0
    const answers = await until(async () => {
      const asked = ['hello', 'there'].map(refused)
      pid = pidOf(search)
      const all = await Promise.all(asked)
      return all.some((one) => one.includes('still starting')) ? undefined : all
    }, 'the refusal once it has started')
    expect(answers).toEqual([
      expect.stringContaining('took too long. Look for rarer words'),
      'This search was stopped because one before it took too long. Try again.',
    ])
    await until(() => isGone(pid), 'the end of the one that hangs')
  })

  test('says that a process still starts, lets it go on, and finds by it', async () => {
    const gate = join(tempDir(), 'gate')
    const script = `until [ -e '${gate}' ]; do sleep 0.1; done; exec "$0" "$@"`
    const command = ['sh', '-c', script, ...selfCommand(), 'search-worker']
    const { say, ids, refused, search } = stage({ command, limits: { askMs: 2_000 } })
    say('a', 'hello')
    expect(await refused('hello')).toBe('Search is still starting. Try again in a moment.')
    const pid = pidOf(search)
    expect(isGone(pid)).toBe(false)
    writeFileSync(gate, '')
    expect(await until(() => ids('hello').catch(() => undefined), 'the answer')).toEqual(['a'])
  })

  test('gives a question its whole time once the process has started', async () => {
    const answer = '{"answer":1,"ok":true,"data":{"hits":[]}}'
    const script = `sleep 2; echo '{"ready":true}'; sleep 2; echo '${answer}'; exec sleep 60`
    const { search } = stage({ command: ['sh', '-c', script], limits: { askMs: 3_500 } })
    expect(await search.ask({ text: 'hello', order: 'newest', limit: 10 })).toMatchObject({ hits: [] })
  })

  test('gives up a process that never starts', async () => {
    const { refused, search, log } = stage({ command: ['sleep', '60'], limits: { idleMs: 300 } })
    const asked = refused('hello')
    const pid = pidOf(search)
    expect(await asked).toContain('its process did not start within 0.3 s')
    await until(() => isGone(pid), 'the end of it')
    expect(log.lines[0]).toContain('did not start')
  })

  test('kills a process that is let go and does not end', async () => {
    const { say, ids, search } = stage({ limits: { idleMs: IDLE_MS } })
    say('a', 'hello')
    await ids('hello')
    const pid = pidOf(search)
    process.kill(pid, 'SIGSTOP')
    await until(() => search.pid === undefined, 'the end of its use', 60_000)
    await until(() => isGone(pid), 'its end', 60_000)
  }, 120_000)

  test('gives up a process that has stopped, although hooks go on', async () => {
    const { say, ids, search, log } = stage({ limits: { idleMs: IDLE_MS } })
    say('a', 'hello')
    await ids('hello')
    const pid = pidOf(search)
    process.kill(pid, 'SIGSTOP')
    let n = 0
    await until(
      async () => {
        say(`more-${n++}`, 'there')
        await Bun.sleep(50)
        return isGone(pid)
      },
      'the end of it',
      60_000,
    )
    expect(log.lines[0]).toContain('did nothing for')
  }, 120_000)

  test('reports repeated failures, and retries with a backoff', async () => {
    const { say, ids, search, log } = stage({ command: ['false'] })
    say('a', 'hello')
    await until(() => search.problem, 'a problem')
    expect(search.problem).toContain('ended by itself')
    expect(log.lines.length).toBeLessThanOrEqual(3)
    await expect(ids('hello')).rejects.toThrow('The search failed')
  }, 120_000)

  test('survives a process that cannot be started', async () => {
    const { ids, search } = stage({ command: ['/no/such/program'] })
    await expect(ids('hello')).rejects.toThrow('The search failed')
    expect(search.pid).toBeUndefined()
  })

  test('survives a process with invalid output', async () => {
    const { ids } = stage({ command: ['sh', '-c', 'echo nonsense; sleep 60'] })
    await expect(ids('hello')).rejects.toThrow('The search failed')
  })

  test('does nothing when disabled, and says how to enable it', async () => {
    const { say, ids, search } = stage({ enabled: () => false })
    say('a', 'hello')
    await expect(ids('hello')).rejects.toThrow('[search]')
    await Bun.sleep(50)
    expect(search.pid).toBeUndefined()
  })

  test('leaves nothing running', async () => {
    const { say, ids, search } = stage()
    say('a', 'hello')
    await ids('hello')
    const pid = pidOf(search)
    await search.close()
    expect(isGone(pid)).toBe(true)
    await expect(ids('hello')).rejects.toThrow('stopping')
  })
})

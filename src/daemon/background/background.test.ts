import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, makeHome, silentLog, tempDir, until } from '../../../test/kit.ts'
import { Sources } from '../../bus/index.ts'
import { makeFolders } from '../../core/files/private-files.ts'
import { openStore, type Store } from '../../store/index.ts'
import { readConfig } from '../config/config.ts'
import { Background, type BackgroundParts } from './background.ts'

const config = await readConfig('[nats]\nmode = "off"\n', 'gantry.toml')

const WEBHOOK = `[[webhooks]]\nname = "ci"\nurl = "http://127.0.0.1:9"\nsecret = "${'s'.repeat(32)}"\n`
const withWebhook = await readConfig(`[nats]\nmode = "off"\n${WEBHOOK}`, 'gantry.toml')

const open: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of open) await close()
})

function opened(parts: Partial<BackgroundParts> = {}) {
  const places = makeHome()
  makeFolders(places)
  const store = openStore(places.database)
  const log = silentLog()
  const background = new Background({
    ...{ store, places, log, sources: new Sources(store), config: () => config },
    raise: (_, done) => done(true),
    connected: () => {},
    ...parts,
  })
  open.push(async () => {
    await background.close()
    store.close()
  })
  return { store, log, background }
}

/** A thread of the test's own. */
function moduleOf(source: string): string {
  const path = join(tempDir(), 'thread.ts')
  writeFileSync(
    path,
    `self.onmessage = ({ data }) => { if (data.kind === 'close') postMessage({ kind: 'closed' }); ${source} }`,
  )
  return path
}

const marks = (store: Store) => store.marks.get('schema')

describe('the background thread', () => {
  test('answers calls, even before its start is due, and says what is wrong with one', async () => {
    const { background } = opened()
    expect((await background.call('bus.status')).nats).toMatchObject({ mode: 'off', connected: false })
    expect(await background.call('schema.drifts')).toEqual([])
    const failed = await background.call('bus.webhooks.test', 'nobody', 'x').catch((error) => error)
    expect(failed).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('that fails is started again, and who waited for it hears why', async () => {
    const module = moduleOf(`if (data.kind === 'call') throw new Error('out of luck')`)
    const { background, store, log } = opened({ module })
    await expect(background.call('glance')).rejects.toThrow('out of luck')
    await expect(background.call('glance')).rejects.toThrow('out of luck')
    expect(store.counters.total('follower')).toBeGreaterThan(0)
    expect(log.lines.join('\n')).toContain('it is started again')
  })

  test('that hangs is ended and started again', async () => {
    const dir = tempDir()
    const module = moduleOf(`
      const { existsSync, writeFileSync } = require('node:fs')
      const isSecond = existsSync('${dir}/hung')
      if (data.kind === 'call' && isSecond) postMessage({ kind: 'answer', id: data.id, value: 'here' })
      if (data.kind === 'call' && !isSecond) { writeFileSync('${dir}/hung', ''); for (;;); }`)
    const { background, log } = opened({ module, hungMs: 500 })
    await background.call('glance').catch(() => {})
    expect(log.lines.join('\n')).toContain('failed: it hung; it is started again')
    expect<unknown>(await background.call('glance')).toBe('here')
  }, 120_000)

  test('finds the mark of a new webhook: a daemon that is killed before its first delivery goes on there', async () => {
    const { background, store } = opened({ config: () => withWebhook })
    store.journal.commit(() => store.journal.append(eventOf({ id: 'next' })))
    background.start()
    expect(store.deliveries.mark('webhook:ci', 'HOOK_EVENTS')).toBe(0)
    store.journal.commit(() => store.journal.append(eventOf({ id: 'later' })))
    background.apply()
    expect(store.deliveries.mark('webhook:ci', 'HOOK_EVENTS')).toBe(0)
  })

  test('that failed is started again, and reads the same database', async () => {
    const module = join(tempDir(), 'thread.ts')
    writeFileSync(
      module,
      `import '${join(import.meta.dir, 'thread.ts')}'
      const real = self.onmessage
      self.onmessage = (event) => {
        if (event.data.name === 'bus.natsInfo') postMessage({ kind: 'failed', message: 'out of luck' })
        else real(event)
      }`,
    )
    const { background, log } = opened({ module })
    for (let n = 0; n < 2; n++) {
      expect(await background.call('schema.drifts')).toEqual([])
      const failed = await background.call('bus.natsInfo').catch((error: Error) => error)
      expect(failed).toMatchObject({ message: expect.stringContaining('out of luck') })
    }
    expect(await background.call('schema.drifts')).toEqual([])
    expect(log.lines.join('\n')).not.toContain('removed or replaced')
  })

  test('waits while nobody gets messages, and a webhook that is new then gets what comes next', async () => {
    let now = config
    const module = moduleOf(
      `if (data.kind === 'start') postMessage({ kind: 'log', level: 'info', component: 'x', message: 'after ' + data.last.HOOK_EVENTS })`,
    )
    const { background, store, log } = opened({ module, config: () => now })
    background.start()
    expect((await background.look()).nats).toMatchObject({ mode: 'off', problem: null })
    for (const id of ['a', 'b']) store.journal.commit(() => store.journal.append(eventOf({ id })))
    expect(log.lines).toEqual([])
    now = withWebhook
    background.apply()
    await until(() => log.lines.length > 0, 'the thread')
    expect(log.lines).toEqual(['info x after 2'])
  })

  test('gets a lone event at once, and is told of several together', async () => {
    const module = moduleOf(`
      if (data.kind === 'start') postMessage({ kind: 'delivers', isOn: true })
      if (data.kind === 'committed') postMessage({ kind: 'log', level: 'info', component: 'x',
        message: data.last.HOOK_EVENTS + ' ' + data.hooks.map(({ id, seq }) => id + seq) })`)
    const { background, store, log } = opened({ module })
    background.start(0)
    await until(() => log.lines.length > 0, 'the thread')
    const commit = (...ids: string[]) => {
      const events = ids.map((id) => eventOf({ id }))
      store.journal.commit(() => {
        for (const event of events) Object.assign(event, { seq: store.journal.append(event) })
      })
      background.stored(events)
      background.committed()
    }
    for (const id of ['a', 'b', 'c']) commit(id)
    commit('d', 'e')
    await until(() => log.lines.includes('info x 5 '), 'the last ones')
    const lone = log.lines.filter((line) => !line.endsWith(' '))
    expect(lone).toEqual(['info x 1 a1', 'info x 2 b2', 'info x 3 c3'])
  })

  test('says at once what is wrong with the configuration of NATS', async () => {
    const bad = await readConfig('[nats]\nmode = "external"\n', 'gantry.toml')
    const { background } = opened({ config: () => bad })
    background.start()
    const { nats, problems } = await background.look()
    expect(nats.problem).toContain('nats.url')
    expect(problems.length).toBeGreaterThan(0)
  })

  test('has its writes carried out in order, however long the disk takes none', async () => {
    const module = moduleOf(`
      const write = (id, seq) =>
        postMessage({ kind: 'write', id, writes: [{ table: 'marks', method: 'set', args: ['schema', seq] }] })
      if (data.kind === 'start') { write(1, 1); write(2, 2) }
      if (data.kind === 'written') postMessage({ kind: 'log', level: 'info', component: 'test', message: 'written ' + data.id })`)
    const { background, store, log } = opened({ module })
    const relaxed = store.journal.relaxed.bind(store.journal)
    let failures = 0
    store.journal.relaxed = (work) => {
      failures += 1
      if (failures === 1) throw new Error('database or disk is full')
      relaxed(work)
    }
    background.start(0)
    await until(() => marks(store) === 2, 'the last write')
    await until(() => log.lines.join('\n').includes('written 2'), 'its acknowledgement')
    expect(log.lines.join('\n')).toMatch(/disk is full[\s\S]*written 1[\s\S]*written 2/)
  })
})

import { describe, expect, test } from 'bun:test'
import { makeHome, rawEvent, silentLog, until } from '../../test/kit.ts'
import { makeFolders } from '../core/files/private-files.ts'
import { DEFAULT_CONFIG } from '../daemon/config/defaults.ts'
import { daemonFindings } from '../daemon/findings.ts'
import { openServices, type Services } from '../daemon/services.ts'
import { newId } from '../events/index.ts'
import { openStore } from '../store/index.ts'

/** All services of a daemon on a journal of their own, without a socket. */
function setup() {
  const places = makeHome()
  makeFolders(places)
  const store = openStore(places.database)
  const log = silentLog()
  const services = openServices({ places, store, log, startedAt: Date.now(), config: () => DEFAULT_CONFIG })
  const hook = async (payload: object) => {
    const raw = JSON.stringify({ session_id: 's1', prompt_id: newId(), ...payload })
    const at = Date.now()
    const reply = await new Promise((resolve) =>
      services.pipeline.take(rawEvent({ raw, at, receivedAt: at }), resolve),
    )
    return reply !== undefined
  }
  const doctor = async () => {
    const spool = await services.spool.look()
    const all = daemonFindings({ ...services, spool, handlers: [], notes: [] })
    return all.filter(({ about }) => about === 'followers')
  }
  return { services, store, log, hook, doctor }
}

async function close({
  observers,
  work,
  spool,
  notifier,
  search,
  housekeeping,
  background,
  insight,
}: Services) {
  observers.close()
  work.close()
  spool.close()
  await notifier.close(0)
  await search.close()
  await insight.close()
  housekeeping.stop()
  await background.close()
}

const fails = () => {
  throw new Error('out of order')
}

describe("of the journal's followers", () => {
  for (const broken of ['insight', 'housekeeping', 'display', 'notifier', 'observers', 'work'] as const) {
    test(`${broken} may fail, and the others still get the events`, async () => {
      const { services, hook, doctor } = setup()
      const events: number[] = []
      const sessions: string[] = []
      const messages: number[] = []
      services.feed.subscribe(
        {},
        { send: (line) => events.push(JSON.parse(Buffer.from(line).toString()).event.seq) > 0 },
      )
      services.sessionFeed.subscribe({ send: (line) => sessions.push(line) > 0 })
      services.sources.listen('HOOK_EVENTS', (all) => messages.push(...all.map(({ seq }) => seq)))
      Object.assign(services[broken], { committed: fails })
      expect(await hook({ hook_event_name: 'SessionStart' })).toBe(true)
      expect(await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'hello' })).toBe(true)
      await until(() => events.length === 2, 'both events')
      expect(sessions.at(-1)).toContain('"phase":"working"')
      expect(messages).toEqual([1, 2])
      expect(await doctor()).toMatchObject([
        { level: 'warn', message: expect.stringContaining('failed 2 times') },
      ])
      await close(services)
    })
  }

  test('what leaves before them may fail, and all of them still get the events', async () => {
    const { services, hook, doctor } = setup()
    const sessions: string[] = []
    services.sessionFeed.subscribe({ send: (line) => sessions.push(line) > 0 })
    Object.assign(services.background, { stored: fails })
    expect(await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'hello' })).toBe(true)
    await until(() => sessions.length > 0, 'the session')
    expect(sessions.at(-1)).toContain('"phase":"working"')
    expect(await doctor()).toMatchObject([{ message: expect.stringContaining('background') }])
    await close(services)
  })

  test('a listener of a stream may fail, and the next one still gets the message', async () => {
    const { services, hook, doctor } = setup()
    const messages: number[] = []
    services.sources.listen('HOOK_EVENTS', fails)
    services.sources.listen('HOOK_EVENTS', (all) => messages.push(...all.map(({ seq }) => seq)))
    await hook({ hook_event_name: 'SessionStart' })
    await until(() => messages.length === 1, 'the message')
    expect(await doctor()).toMatchObject([{ message: expect.stringContaining('HOOK_EVENTS') }])
    await close(services)
  })

  test('enrichment that failed reads what it missed from its mark', async () => {
    const { services, store, hook } = setup()
    const { enricher } = services.insight
    const real = enricher.committed.bind(enricher)
    Object.assign(enricher, { committed: fails })
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'one', cwd: '/' })
    Object.assign(enricher, { committed: real })
    await until(() => store.contexts.at('claude', 's1', '', 1), 'the context of the first event')
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'two', cwd: '/' })
    await until(() => store.contexts.at('claude', 's1', '', 2)?.seq === 2, 'the context of the second')
    await close(services)
  })

  test('an event that no session can apply is skipped and logged, and the next start has the rest', async () => {
    const { services, store, hook, doctor } = setup()
    const { sessions } = services.tracker
    const real = sessions.apply.bind(sessions)
    Object.assign(sessions, {
      apply: (event: Parameters<typeof real>[0]) => (event.type === 'Notification' ? fails() : real(event)),
    })
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'hello' })
    await hook({ hook_event_name: 'Notification', message: 'x' })
    await hook({ hook_event_name: 'Stop' })
    expect(services.tracker.sessions.get('claude:s1')?.turn.open).toBe(false)
    expect(await doctor()).toMatchObject([{ message: expect.stringContaining('a Notification') }])
    expect(store.count()).toBe(3)
    await close(services)
  })
})

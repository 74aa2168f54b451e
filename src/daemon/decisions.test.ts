import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { arrival, makeHome, silentLog } from '../../test/kit.ts'
import type { HookReply } from '../events/index.ts'
import { parseRules } from '../policy/index.ts'
import { openStore } from '../store/index.ts'
import { DEFAULT_CONFIG } from './default-config.ts'
import { makeFolders } from './files.ts'
import { openRooms } from './rooms.ts'

const LONG = 'remember this. '.repeat(5_000)

async function setup() {
  const places = makeHome()
  makeFolders(places)
  const store = openStore(places.database)
  const rooms = openRooms({
    ...{ places, store, log: silentLog(), startedAt: Date.now() },
    config: () => DEFAULT_CONFIG,
  })
  const rules = `rules: [{ id: long, on: UserPromptSubmit, context: "${LONG}" }]`
  rooms.policy.replace(await parseRules(rules, 'long.yaml'))
  const files = () => (existsSync(places.contexts) ? readdirSync(places.contexts) : [])
  const prompt = () =>
    new Promise<HookReply | undefined>((resolve) => {
      const raw = JSON.stringify({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'go on' })
      rooms.pipeline.take(arrival({ raw, at: Date.now(), receivedAt: Date.now() }), resolve)
    })
  return { store, files, prompt }
}

test('context that is too long for its agent is written to a file after the commit, and before the answer', async () => {
  const { store, files, prompt } = await setup()
  const { journal } = store
  const real = journal.commit.bind(journal)
  const within: string[][] = []
  journal.commit = (work) =>
    real(() => {
      const done = work()
      within.push(files())
      return done
    })
  const reply = await prompt()
  expect(within[0]).toEqual([])
  const file = /all of it is in ([^\]]+)\]/.exec(reply?.stdout ?? '')?.[1] ?? ''
  expect(readFileSync(file, 'utf8')).toBe(LONG)
})

test('a commit that fails leaves no file behind', async () => {
  const { store, files, prompt } = await setup()
  const { journal } = store
  const real = journal.commit.bind(journal)
  journal.commit = (work) =>
    real(() => {
      work()
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    })
  expect(await prompt()).toBeUndefined()
  expect(files()).toEqual([])
})

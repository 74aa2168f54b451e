/** What a person had is what they get back, whatever it looks like. */
import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { settingsIn } from '../../src/install/edit/settings-text.ts'
import { planEntries, planRemoval } from '../../src/install/plan.ts'
import { FILES, forgetUsers, MERGED, makeUser, OWNED } from './kit.ts'
import { longFile, NASTY, nastyFor } from './nasty.ts'

afterEach(forgetUsers)

for (const id of MERGED) {
  const file = FILES[id] ?? ''
  const { taken, refused } = nastyFor(id)
  describe(`${id}: install and uninstall on`, () => {
    test.each(taken.map(({ name, set }) => [name, set] as const))('%s', (_, set) => {
      const user = makeUser()
      set(user, file)
      const before = user.snapshot()
      const theirs = existsSync(user.path(file)) ? settingsIn(user.text(file), file) : undefined

      const plan = user.install(id)
      expect(plan.kind).toBe('change')
      const installed = user.snapshot()
      expect(installed).not.toEqual(before)

      // Nothing foreign has changed, and every event is there once, as the agent itself would read it.
      const after = settingsIn(user.text(file), file)
      expect(withoutOurs(after, user.agent(id).settings.recognise(after, user.client))).toEqual(
        emptied(theirs),
      )
      const strict = JSON.parse(JSON.stringify(after)) as { hooks: Record<string, unknown[]> }
      for (const event of plan.events) expect(strict.hooks[event]?.length).toBeGreaterThan(0)

      const records = user.records()

      expect(user.install(id).kind).toBe('wired')
      expect(user.snapshot()).toEqual(installed)
      expect(user.records()).toEqual(records)

      expect(user.uninstall(id).map(({ way }) => way)).toEqual(['exact'])
      expect(user.snapshot()).toEqual(before)
      expect(user.planUninstall(id)).toEqual([])
    })
  })

  describe(`${id}: refuses, and leaves as it is,`, () => {
    test.each(refused.map(({ name, set, beyond }) => [name, set, beyond] as const))(
      '%s',
      (_, set, [what]) => {
        const user = makeUser()
        set(user, file)
        const before = user.snapshot()
        const refusal = `has ${what}, and ${user.agent(id).settings.title} refuses the whole file for it`
        expect(() => user.install(id)).toThrow(refusal)
        expect(user.snapshot()).toEqual(before)
        expect(user.records()).toEqual([])
      },
    )
  })

  // Somebody may add what is not JSON later, and then ours has to come out all the same.
  test(`${id}: ours comes out of all of them, as text`, () => {
    const user = makeUser()
    const { settings, version } = user.agent(id)
    const input = { version, client: user.client, with: new Map(), statusLine: true }
    const wiring = settings.wiring(input)
    if (wiring.kind !== 'merge') throw new Error('not merged')
    for (const { name, text = '' } of NASTY) {
      const plan = planEntries(text, file, wiring.entries, { entries: [], containers: [] })
      const left = planRemoval(plan.text, file, plan)
      expect({ name, left: emptied(settingsIn(left, file)) }).toEqual({
        name,
        left: emptied(settingsIn(text, file)),
      })
      expect(left.match(/\/[/*]/g)).toEqual(text.match(/\/[/*]/g))
    }
  })
}

for (const id of OWNED) {
  const file = FILES[id] ?? ''
  const folder = dirname(file)
  const cases: Record<string, (user: ReturnType<typeof makeUser>) => void> = {
    'no folder': () => {},
    'an empty folder': (user) => user.put(`${folder}/../x`, ''),
    'other files beside it': (user) => user.put(`${folder}/other.json`, '{"hooks":{}}'),
    'a foreign file of the same name': (user) => user.put(file, '{"version":1,"hooks":{"a":[]}}', 0o600),
    'an empty file of the same name': (user) => user.put(file, ''),
    'bytes that are no text': (user) => user.put(file, new Uint8Array([0xff, 0xfe, 0, 1])),
  }
  describe(`${id}: a file of its own with`, () => {
    test.each(Object.entries(cases))('%s', (_, set) => {
      const user = makeUser()
      set(user)
      const before = user.snapshot()
      expect(user.install(id).kind).toBe('change')
      const installed = user.snapshot()
      expect(user.install(id).kind).toBe('wired')
      expect(user.snapshot()).toEqual(installed)
      user.uninstall(id)
      expect(user.snapshot()).toEqual(before)
    })
  })

  test(`${id}: a file of ours that somebody changed goes, and a copy is kept`, () => {
    const user = makeUser()
    user.install(id)
    user.put(file, `${user.text(file)}// my own idea\n`)
    const [plan] = user.uninstall(id)
    expect(plan?.notes.join()).toContain('copy is kept')
    expect(existsSync(user.path(file))).toBe(false)
    const backups = readdirSync(`${user.places.state}/install/backups`)
    expect(backups.length).toBe(1)
  })
}

test('a file of 1 MB comes back, too', () => {
  const user = makeUser()
  user.put(FILES.claude ?? '', JSON.stringify(longFile(18_000), null, 2))
  const before = user.snapshot()
  expect(user.install('claude').kind).toBe('change')
  expect(user.uninstall('claude').map(({ way }) => way)).toEqual(['exact'])
  expect(user.snapshot()).toEqual(before)
})

test('gantry in a folder of its own is named in every command', () => {
  const user = makeUser(true)
  for (const id of [...MERGED, ...OWNED]) {
    user.install(id)
    expect(user.text(FILES[id] ?? '')).toContain('fleet two')
    user.uninstall(id)
  }
  expect(Object.keys(user.snapshot())).toEqual([])
})

test('no path of this checkout gets into any settings', () => {
  const user = makeUser()
  for (const id of [...MERGED, ...OWNED]) {
    user.install(id)
    expect(user.text(FILES[id] ?? '')).not.toContain(process.cwd())
  }
})

type Found = ReturnType<ReturnType<typeof makeUser>['agent']>['settings'] extends {
  recognise(...args: never[]): infer R
}
  ? R
  : never

/** The settings without ours, by value: what is empty then is left out, as in `emptied`. */
function withoutOurs(settings: unknown, ours: Found): unknown {
  const copy = structuredClone(settings) as Record<string, unknown>
  for (const entry of ours) {
    if (entry.kind === 'append') {
      const hooks = copy.hooks as Record<string, unknown[]>
      const event = entry.path[1] ?? ''
      hooks[event] = (hooks[event] ?? []).filter((group) => !Bun.deepEquals(group, entry.value, true))
    } else if (entry.path.length === 2) {
      ;(copy.statusLine as Record<string, unknown>).command = entry.previous
    } else delete copy.statusLine
  }
  return emptied(copy)
}

function emptied(settings: unknown): unknown {
  const copy = structuredClone(settings ?? {}) as Record<string, unknown>
  const hooks = (copy.hooks ?? {}) as Record<string, unknown[]>
  for (const [event, groups] of Object.entries(hooks)) if (groups.length === 0) delete hooks[event]
  if (Object.keys(hooks).length === 0) delete copy.hooks
  return copy
}

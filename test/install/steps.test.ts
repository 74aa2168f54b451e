/** An install that ends between two of its steps, at each of them in turn: the way back is open, and so is the way on. */
import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { installSteps, removalSteps } from '../../src/install/change.ts'
import { FILES, forgetUsers, MERGED, makeUser, OWNED, type User } from './kit.ts'

afterEach(forgetUsers)

const MINE = '{\n   "mine" :true,\n  "model": "opus"\n}\n'
const DEAD_PID = 2 ** 22 + 1 // beyond the largest pid that Linux gives

/** How the file comes to be as it is before the step that fails. */
const STARTS: Readonly<Record<string, (user: User, id: string) => void>> = {
  'from nothing': () => {},
  'over a file': (user, id) => MERGED.some((one) => one === id) && user.put(FILES[id] ?? '', MINE),
}

const steps = (user: User, id: string, version?: string) => {
  const plan = user.planInstall(id, version)
  return plan.kind === 'change' ? installSteps(user.places, plan.change) : []
}

for (const id of [...MERGED, ...OWNED]) {
  describe(id, () => {
    test.each(Object.entries(STARTS))('install %s, ended after each step', (_, set) => {
      const model = makeUser()
      set(model, id)
      const count = steps(model, id).length
      model.install(id)
      for (let done = 0; done <= count; done++) {
        const user = makeUser()
        set(user, id)
        const before = user.snapshot()
        for (const step of steps(user, id).slice(0, done)) step()
        if (user.records().includes(`${id}.json`)) litter(user, id) // nothing is written before the receipt
        user.uninstall(id)
        expect(user.snapshot(), `back after ${done}`).toEqual(before)

        for (const step of steps(user, id).slice(0, done)) step()
        user.install(id)
        const wired = user.text(FILES[id] ?? '').replaceAll(user.home, model.home)
        expect(wired, `on after ${done}`).toBe(model.text(FILES[id] ?? ''))
        user.uninstall(id)
        expect(user.snapshot()).toEqual(before)
      }
    })

    test.each(Object.entries(STARTS))('uninstall %s, ended after each step', (_, set) => {
      const user = makeUser()
      set(user, id)
      const before = user.snapshot()
      for (let done = 0; done <= 8; done++) {
        user.install(id)
        for (const { change } of user.planUninstall(id)) {
          for (const step of removalSteps(user.places, change).slice(0, done)) step()
        }
        user.uninstall(id)
        expect(user.snapshot(), `back after ${done}`).toEqual(before)
      }
    })
  })
}

test('an upgrade, ended after each step', () => {
  for (let done = 0; done <= 8; done++) {
    const user = makeUser()
    user.put('.claude/settings.json', MINE)
    const before = user.snapshot()
    user.install('claude', '2.0.77')
    for (const step of steps(user, 'claude', '2.1.325').slice(0, done)) step()
    if (done % 2 === 0) {
      // And somebody works on the file before it goes on.
      user.put('.claude/settings.json', user.text('.claude/settings.json').replace('opus', 'haiku'))
      user.uninstall('claude')
      expect(user.text('.claude/settings.json')).toBe(MINE.replace('opus', 'haiku'))
    } else {
      user.uninstall('claude')
      expect(user.snapshot()).toEqual(before)
    }
  }
})

/** What a kill in the middle of a write leaves behind. */
function litter(user: User, id: string): void {
  const file = user.path(FILES[id] ?? '')
  const at = file.lastIndexOf('/')
  try {
    writeFileSync(`${file.slice(0, at)}/.${file.slice(at + 1)}.${DEAD_PID}.gantry-draft`, 'half')
  } catch {
    // It did not come to a folder.
  }
}

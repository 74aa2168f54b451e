/** Hundreds of payloads that nobody knows are a few lines of the doctor, and none of them is lost. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Finding } from '../../src/client/index.ts'
import { gantry, gantryJson, makeHome, sendFrames, startDaemon } from '../kit.ts'

setDefaultTimeout(120_000)

const ODD = 291

test('a flood of odd payloads is grouped by kind, with how many, when, one example and what to do', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const frames = Array.from({ length: ODD }, (_, i) => {
    const agent = i % 3 === 0 ? `robot${i}` : 'claude'
    const payload = { session_id: `s${i % 5}`, hook_event_name: i % 2 ? 'Stop' : `Odd${i}`, [`odd_${i}`]: i }
    return { agent, payload: JSON.stringify(payload) }
  })
  await sendFrames(at, frames)
  const all = (await gantryJson(at, 'doctor', '--json').catch(() => [])) as Finding[]
  expect(all.length).toBeGreaterThan(ODD / 2)
  const shown = (await gantry(at, 'doctor')).stdout
  const lines = shown.trimEnd().split('\n')
  expect(lines.length).toBeLessThan(40)
  expect(shown).toMatch(
    /! drift {4}\d+ of these, seen \d+ times, first \d+[sm] ago, last \d+[sm] ago; one of them:\n {11}claude/,
  )
  expect(shown).toMatch(/one of them:\n.*\n {11}→ Look: gantry schema diff --agent claude/)
  expect(shown).toContain(`All ${all.length} lines: gantry doctor --verbose`)
  const whole = (await gantry(at, 'doctor', '--verbose')).stdout
  expect(whole.split('\n').filter((line) => /^[!✓✗] /.test(line))).toHaveLength(all.length)
})

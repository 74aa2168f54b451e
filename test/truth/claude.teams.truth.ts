/** Claude Code 2.1.325 with a team: a teammate works, rests and asks beside its lead, in the same process. */
import { expect, test } from 'bun:test'
import { bash, claude } from '../agents/claude.ts'
import type { ToolCall } from '../agents/mock/model.ts'
import type { Act } from './play.ts'
import { testTruth, think } from './suite.ts'

const spawn = (script: string): ToolCall => ({
  name: 'Agent',
  input: {
    description: 'a job',
    prompt: `do it [[s:${script}]]`,
    subagent_type: 'general-purpose',
    name: 'bob',
  },
})
const tell = (script: string): ToolCall => ({
  name: 'SendMessage',
  input: { to: 'bob', summary: 'go on', message: `go on [[s:${script}]]` },
})
const argv = claude.interactive({ guarded: true, args: ['--allowedTools', 'Bash(./free.sh:*)'] })
const env = { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }
const PERMISSION = /Do you want to proceed/
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu
const RESTS = /◯ bob .*\bidle\b/
/** A teammate looks into its inbox once a second; until then nobody works. */
const RUNS = { text: 'It runs.', waitMs: 1500 }
const DONE = { text: 'It has rested.', waitMs: 3000 }

/**
 * That the lead takes up a message is told by a line of its transcript alone. It bears the time at which the message was
 * made, and is written a tenth of a second later, or three where the machine is very busy.
 */
const subject = {
  driver: claude,
  argv,
  env,
  works: WORKS,
  rightPct: 98,
  ownP95Ms: 500,
  basics: false,
} as const

testTruth(subject, (play, stage) => {
  const teammate = () =>
    play()
      .watch.current()
      ?.children.find(({ type }) => type === 'bob')?.phase

  /** Its last answer, then the lead, who is told by a message in its inbox, and the end of that turn. */
  async function rests(act: Act, script: string, times: number, lead: string): Promise<void> {
    const deadline = performance.now() + 30_000
    while (stage().model.seen(script)[times - 1]?.answered === undefined && performance.now() < deadline)
      await Bun.sleep(5)
    const from = performance.timeOrigin + (stage().model.seen(script)[times - 1]?.answered ?? 0)
    const { to } = await act.pane.sees(RESTS)
    act.truth.mark('idle', { from, to })
    act.truth.mark('working', await act.pane.sees(WORKS))
    expect(teammate()).toBe('idle')
    await act.answered(lead, 3)
    await act.rest()
    expect(teammate()).toBe('idle')
  }

  test('works on after the turn that started it, and rests', () =>
    play().scenario('teammate', async (act) => {
      stage().model.play('mate', [think(bash('./free.sh 4')), { text: 'Bob is done.' }])
      await act.prompt('lead', [{ calls: [spawn('mate')] }, RUNS, DONE])
      await act.pane.sees(/lead\/2/)
      await act.rest(3000)
      expect(teammate()).toBe('working')
      await rests(act, 'mate', 2, 'lead')
    }))

  test.each([
    ['yes', '1'],
    ['no', '4'],
  ])('is told more, and asks: %s', (answer, key) =>
    play().scenario(`teammate asks, ${answer}`, async (act) => {
      const [lead, mate] = [`lead-${answer}`, `mate-${answer}`]
      stage().model.play(mate, [
        { calls: [bash('./ask.sh 2')], waitMs: 2500 },
        { text: 'Bob is done.', waitMs: 1000 },
      ])
      await act.prompt(lead, [{ calls: [tell(mate)] }, RUNS, DONE])
      await act.asks(mate, 1, PERMISSION)
      expect(teammate()).toBe('blocked')
      await act.reply(PERMISSION, key, 'working')
      await rests(act, mate, 2, lead)
    }),
  )
})

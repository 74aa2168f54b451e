/** Claude Code 2.1.325 beside a daemon that stands still for a while: one wait, and the truth again as soon as it goes on. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { SessionView } from '../../src/client/index.ts'
import { bash, claude } from '../agents/claude.ts'
import type { Turn } from '../agents/mock/model.ts'
import { type Stage, settled } from '../agents/stage.ts'
import { journal } from '../kit.ts'
import type { Play } from './play.ts'
import { DONE, testTruth, think } from './suite.ts'

const argv = claude.interactive({ guarded: true, args: ['--allowedTools', 'Bash(./free.sh:*)'] })
const PERMISSION = /Do you want to proceed/
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu
const SHOWN_MS = 15_000 // not measured: how long the machine takes to go through what waited
const ONE_WAIT_S = 5

const SIX_TOOLS: Turn[] = [
  ...Array.from({ length: 6 }, (_, i): Turn => ({ calls: [bash(`./free.sh 0.${i}`)] })),
  { text: 'Six.' },
]

const HEARD =
  "SELECT type, at FROM events WHERE transport IN ('socket', 'spool') AND type <> 'StatusLine' AND seq > "
const lastSeq = (stage: Stage) =>
  journal<{ seq: number }>(stage.places, 'SELECT max(seq) AS seq FROM events')[0]?.seq ?? 0

function signal(stage: Stage, name: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(Number(readFileSync(stage.places.pid, 'utf8')), name)
}

/** Nobody could be right as long as it stands still, so none of this is measured. */
async function frozen(stage: Stage, work: () => Promise<void>): Promise<void> {
  signal(stage, 'SIGSTOP')
  try {
    await work()
  } finally {
    signal(stage, 'SIGCONT')
  }
}

async function shows(play: Play, expected: Partial<SessionView>): Promise<void> {
  const isShown = (view: SessionView | undefined) =>
    Object.entries(expected).every(([name, value]) => view?.[name as keyof SessionView] === value)
  expect(await settled(() => play.watch.current(), isShown, SHOWN_MS)).toMatchObject(expected)
}

testTruth({ driver: claude, argv, works: WORKS, rightPct: 99, basics: false }, (play, stage) => {
  const prompt = async (script: string, turns: readonly Turn[]) => {
    stage().model.play(script, turns)
    await play().pane().type(`please [[s:${script}]]`)
    await play().pane().enter('Enter', WORKS)
  }

  test('six tools take one wait more', async () => {
    const args = { args: ['--allowedTools', 'Bash'], journal: false }
    const seconds = async (script: string) => {
      const began = performance.now()
      expect((await stage().ask(script, SIX_TOOLS, args)).exit).toBe(0)
      return (performance.now() - began) / 1000
    }
    const usual = await seconds('usual')
    await frozen(stage(), async () => {
      const slow = await seconds('slow')
      console.log(`  six tools: ${usual.toFixed(1)} s, beside a frozen daemon ${slow.toFixed(1)} s`)
      expect(slow).toBeLessThan(2 * usual + ONE_WAIT_S + 2)
    })
    const ended = await settled(
      () => stage().events('slow'),
      (events) => events.some(({ type }) => type === 'SessionEnd'),
      SHOWN_MS,
    )
    expect(ended.map(({ type }) => type)).toEqual((await stage().events('usual')).map(({ type }) => type))
  })

  test('a whole turn beside it is there once and in order', async () => {
    const before = lastSeq(stage())
    await frozen(stage(), async () => {
      await prompt('unseen', [
        { calls: [bash('./free.sh 0')] },
        { calls: [bash('./free.sh 1')] },
        { text: 'Unseen.' },
      ])
      await play()
        .pane()
        .sees(/Unseen\./)
      await Bun.sleep(1000) // Stop is heard after the last word
    })
    await shows(play(), { phase: 'idle', lastPrompt: 'please [[s:unseen]]', lastMessage: 'Unseen.' })
    const tool = ['PreToolUse', 'PostToolUse', 'PostToolBatch']
    const heard = journal<{ type: string; at: number }>(stage().places, `${HEARD} ${before} ORDER BY seq`)
    expect(heard.map(({ type }) => type)).toEqual(['UserPromptSubmit', ...tool, ...tool, 'Stop'])
    expect(heard.map(({ at }) => at)).toEqual(heard.map(({ at }) => at).toSorted((a, b) => a - b))
  })

  test('it goes on while a tool runs', async () => {
    await frozen(stage(), async () => {
      await prompt('amid', [think(bash('./free.sh 5')), DONE])
      await Bun.sleep(4000)
    })
    await shows(play(), { phase: 'working', detail: 'Bash' })
    await play().scenario(
      'frozen, a tool runs',
      async (act) => {
        await act.answered('amid', 2, /Done\./)
        await act.rest()
      },
      'working',
    )
  })

  test('it goes on while a permission is asked for', async () => {
    await frozen(stage(), async () => {
      await prompt('asked', [think(bash('./ask.sh 2')), { text: 'Asked and done.' }])
      await play().pane().sees(PERMISSION)
    })
    await shows(play(), { phase: 'blocked' })
    await play().scenario(
      'frozen, a permission',
      async (act) => {
        await act.rest()
        await act.reply(PERMISSION, '1', 'working')
        await act.answered('asked', 2, /Asked and done\./)
        await act.rest()
      },
      'blocked',
    )
  })
})

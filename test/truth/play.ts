/**
 * One agent in a terminal that does as the script says, so that its true state is known at every moment: the script
 * presses the keys, is the model, and looks at the screen.
 *
 *   const play = openPlay(stage, 'truth')
 *   await play.open(['claude'])
 *   await play.scenario('plain', async (act) => {
 *     await act.prompt('plain', [{ text: 'Hello.', waitMs: 2000 }])   // Enter: working
 *     await act.answered('plain', 1)                                  // the last words of the answer: idle
 *   })
 *
 * A change is marked from its cause, a key or the last byte of an answer, until the agent shows that it knows: it came to
 * know at some moment in between, and nobody can say at which. What is on the screen waits for no hook, so no lag of gantry's
 * can hide there; `theScreenIsFirst` in suite.ts makes sure of that with hooks that take their time.
 */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import type { Turn } from '../agents/mock/model.ts'
import type { Stage } from '../agents/stage.ts'
import { journal } from '../kit.ts'
import { openPane, type Pane } from './pane.ts'
import type { Result } from './report.ts'
import { type Share, sharesOf, type Told } from './shares.ts'
import { now, score, Timeline, type TruePhase } from './timeline.ts'
import { type Watch, watchSessions } from './watch.ts'

const ANSWER_LIMIT_MS = 30_000
const LOOK_MS = 5
export const REST_MS = 2_000 // a person looks at what was done before they go on

export interface Act {
  readonly truth: Timeline
  readonly pane: Pane
  /** Types a prompt that plays these turns, and presses Enter: from then on it works. Every text gets a mark of its own. */
  prompt(script: string, turns: readonly Turn[], words?: string): Promise<void>
  /** Waits until the model has answered so often, and its words are on the screen; then the agent is idle. */
  answered(script: string, times: number, words?: RegExp): Promise<void>
  /** Waits for the dialog that this answer leads to: from some moment between the two on it is blocked. */
  asks(script: string, times: number, dialog: RegExp): Promise<void>
  /** After a look at it, answers the dialog with a key; what follows is named. */
  reply(dialog: RegExp, key: string, phase: TruePhase): Promise<void>
  /** Waits for this answer, and until what it shows only while it compacts is gone. */
  compacted(script: string, compacts: RegExp): Promise<void>
  /** Presses Esc; when the screen no longer says that it works, it is idle. */
  breakOff(): Promise<void>
  rest(ms?: number): Promise<void>
}

export interface Play {
  readonly watch: Watch
  readonly project: string
  /** The agent in a terminal; a second call is the same again, e.g. after it was killed. */
  open(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Pane>
  pane(): Pane
  scenario(name: string, run: (act: Act) => Promise<void>, from?: TruePhase): Promise<void>
  readonly results: readonly Result[]
  close(): Promise<void>
}

/** What can change a phase, and the clock. */
const TOLD = `SELECT at, received_at AS receivedAt, type, transport, raw ->> '$.by_ms' AS byMs FROM events
  WHERE (transport <> 'emit' AND type <> 'StatusLine') OR type = 'ClockSetBack' ORDER BY seq`

/**
 * In the order in which it came, by the clock of this process, which nobody sets. Scripts set the other one by whole
 * seconds; what the daemon measures of that is a few milliseconds off, which is longer than an event takes to the screen.
 */
function toldIn(places: Places): Told[] {
  let setBack = 0
  const told: Told[] = []
  for (const { byMs, ...one } of journal<Told & { byMs: number | null }>(places, TOLD)) {
    if (one.type === 'ClockSetBack') setBack += Math.round((byMs ?? 0) / 1000) * 1000
    else told.push({ ...one, at: one.at + setBack, receivedAt: one.receivedAt + setBack })
  }
  return told.sort((a, b) => a.receivedAt - b.receivedAt)
}

/** Commands that take their time: `./free.sh 2` may run, `./ask.sh 2` needs a permission. */
const COMMAND = '#!/bin/sh\nsleep "$1"\n'

/** What an agent's screen tells. */
export interface Signs {
  /** On it as long as the agent works, and only then. */
  readonly works: RegExp
  /**
   * It shows so only after its hooks, and words before it rests: a prompt is taken when it has left its line, and an answer
   * is over when the screen no longer says that it works.
   */
  readonly late?: true
}

export function openPlay(stage: Stage, name: string, { works, late }: Signs): Play {
  const project = stage.project(name)
  for (const file of ['free.sh', 'ask.sh']) {
    writeFileSync(join(project, file), COMMAND)
    chmodSync(join(project, file), 0o755)
  }
  const watch = watchSessions(stage.places, project)
  const results: Result[] = []
  let pane: Pane | undefined
  let opened = 0

  const thePane = () => {
    if (!pane) throw new Error('No terminal is open.')
    return pane
  }

  async function answerTime(script: string, times: number): Promise<number> {
    const deadline = now() + ANSWER_LIMIT_MS
    for (;;) {
      const done = stage.model.seen(script)[times - 1]?.answered
      if (done !== undefined) return performance.timeOrigin + done
      if (now() > deadline)
        throw new Error(`${script}: no answer ${times}. The screen:\n${await thePane().screen()}`)
      await Bun.sleep(LOOK_MS)
    }
  }

  /** A subscription that went quiet would be right by accident. */
  async function sameWhenAsked(): Promise<void> {
    const listed = await call(stage.places, 'sessions.list', { all: true })
    const told = watch.current()
    const asked = listed.find(({ key }) => key === told?.key)
    if (asked?.phase !== told?.phase)
      throw new Error(`The subscription says ${told?.phase}, the list ${asked?.phase}.`)
  }

  async function scenario(
    title: string,
    run: (act: Act) => Promise<void>,
    from: TruePhase = 'idle',
  ): Promise<void> {
    const truth = new Timeline(from, now())
    const act: Act = {
      truth,
      get pane() {
        return thePane()
      },
      prompt: async (script, turns, words = 'please') => {
        stage.model.play(script, marked(script, turns))
        await thePane().type(`${words} [[s:${script}]]`)
        const line = new RegExp(`\\[\\[s:${script}\\]\\]`)
        const taken = late ? thePane().leave('Enter', line) : thePane().enter('Enter', works)
        truth.mark('working', await taken)
      },
      answered: async (script, times, words = new RegExp(markOf(script, times))) => {
        const from = await answerTime(script, times)
        const { to } = await thePane().sees(words)
        truth.mark('idle', { from, to: late ? (await thePane().misses(works)).to : to })
      },
      asks: async (script, times, dialog) => {
        const from = await answerTime(script, times)
        const { to } = await thePane().sees(dialog)
        truth.mark('blocked', { from, to })
      },
      reply: async (dialog, key, phase) => {
        await Bun.sleep(REST_MS)
        truth.mark(phase, await thePane().dismiss(dialog, key))
      },
      compacted: async (script, compacts) => {
        const from = await answerTime(script, 1)
        const { to } = await thePane().misses(compacts)
        truth.mark('idle', { from, to })
      },
      breakOff: async () => {
        await thePane().sees(works)
        const { from } = await thePane().key('Escape')
        const { to } = await thePane().misses(works)
        truth.mark('idle', { from, to })
      },
      rest: (ms = REST_MS) => Bun.sleep(ms),
    }
    const started = now()
    await run(act)
    truth.finish(now())
    await sameWhenAsked()
    const seconds = (now() - started) / 1000
    const scored = score(truth, watch.samples, watch.shown)
    const shares = sharesOf(scored.lags, toldIn(stage.places))
    results.push({ name: title, seconds, shares, ...scored })
    if (process.env.GANTRY_TRUTH_TRACE) console.log(trace(title, truth, watch, shares))
  }

  return {
    watch,
    project,
    results,
    scenario,
    pane: thePane,
    open: async (argv, env = {}) => {
      await pane?.close()
      opened += 1
      const all = { ...stage.env, ...env, TMUX_TMPDIR: stage.home }
      pane = await openPane(argv, { name: `${name}-${opened}`, cwd: project, env: all })
      return pane
    },
    close: async () => {
      watch.close()
      await pane?.close()
    },
  }
}

/** Words that are on the screen only when this very answer is. */
function markOf(script: string, times: number): string {
  return `${script}/${times}`
}

function marked(script: string, turns: readonly Turn[]): Turn[] {
  return turns.map((turn, index) =>
    turn.text === undefined ? turn : { ...turn, text: `${turn.text} ${markOf(script, index + 1)}` },
  )
}

/** Both timelines of a scenario, one below the other, for whoever looks for the reason of a gap. */
function trace(title: string, truth: Timeline, { shown }: Watch, shares: readonly Share[]): string {
  const start = truth.marks[0]?.to ?? 0
  const lines = [
    ...truth.marks.map(({ phase, to, from }) => ({
      at: to,
      text: `true   ${phase} (±${(to - from).toFixed(0)})`,
    })),
    ...shown.filter(({ at }) => at >= start).map(({ at, phase }) => ({ at, text: `shown         ${phase}` })),
  ].sort((a, b) => a.at - b.at)
  return [
    `-- ${title}`,
    ...lines.map(({ at, text }) => `${(at - start).toFixed(0).padStart(7)} ${text}`),
    ...shares.map(({ phase, ms, agent, way, gantry, own, by }) => {
      const parts = [ms, agent, way, gantry].map((part) => part.toFixed(0)).join(' ')
      return `   ${phase}: late, agent, way, gantry ${parts} ms; since its word ${own.toFixed(0)} ms (${by})`
    }),
  ].join('\n')
}

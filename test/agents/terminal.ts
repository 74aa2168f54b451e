/**
 * One prompt in an agent's TUI, whatever a person does meanwhile, and a proper goodbye.
 *
 *   const run = await inTerminal(stage, 'permission-none', turns, { guarded: true }, (screen) =>
 *     screen.answer(/Do you want to proceed/, 'Enter'),
 *   )
 */
import type { RunOptions } from './driver.ts'
import type { Turn } from './mock/model.ts'
import { type Run, type Stage, settled } from './stage.ts'
import { openScreen, type Screen } from './tmux.ts'

export const READY =
  /\? for shortcuts|shift\+tab to cycle|my own line|\/ commands · \? help|ctrl\+p commands|shift \+ tab to cycle/ // one of them, when they take a prompt

/** What the model says last, so that the end of the conversation can be seen on the screen. */
const LAST_WORDS = 'That was all.'

export async function inTerminal(
  stage: Stage,
  scenario: string,
  turns: readonly Turn[],
  options: RunOptions,
  meanwhile: (screen: Screen) => Promise<void> = async () => {},
): Promise<Omit<Run, 'exit' | 'stdout' | 'stderr'>> {
  const { driver, model } = stage
  const project = stage.project(scenario)
  model.play(scenario, [...turns, { text: LAST_WORDS }])
  const started = performance.now()
  const env = { ...stage.env, TMUX_TMPDIR: stage.home }
  const screen = openScreen(driver.interactive(options), { name: scenario, cwd: project, env })
  try {
    await screen.shows(READY)
    await screen.press(`please [[s:${scenario}]]`)
    await screen.shows(/please \[\[s:/)
    await screen.press('Enter')
    await meanwhile(screen)
    await screen.shows(new RegExp(LAST_WORDS))
    await settled(
      () => stage.events(scenario),
      (found) => found.some((event) => event.type === 'Stop'), // words on the screen are not the end of the turn yet
    )
    await screen.end(...driver.goodbye)
  } finally {
    screen.close()
  }
  const events = await settled(
    () => stage.events(scenario),
    (found) => found.some((event) => event.type === 'SessionEnd'),
  )
  const { agent, version } = driver.release
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`  ${agent} ${version} ${scenario} in tmux: ${events.length} events, ${seconds} s`)
  return { project, events, types: events.map((event) => event.type), seen: model.seen(scenario) }
}

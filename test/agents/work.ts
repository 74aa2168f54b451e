/**
 * Efforts on a stage: an agent under `gantry run`, begun work, and what gantry has of it afterwards.
 *
 *   const stage = await openWorkStage(supervised(claude))
 *   const effort = startEffort(stage, 'overflow')
 *   …
 *   windowsOf(stage, effort)   // the context windows, oldest first
 */
import type { EffortDetail, EffortView, WindowView } from '../../src/client/index.ts'
import { GANTRY } from '../kit.ts'
import type { Driver } from './driver.ts'
import type { Seen, ToolCall } from './mock/model.ts'
import { gantry, install, openStage, type Stage, settled } from './stage.ts'

const LONG_MS = 30_000 // two agents start and one ends, each of them slow on a busy machine

/** The same agent, started through gantry. */
export function supervised(driver: Driver, ...flags: string[]): Driver {
  const under = (argv: string[]) => [GANTRY, 'run', ...flags, '--', ...argv]
  return {
    ...driver,
    headless: (prompt, options) => under(driver.headless(prompt, options)),
    interactive: (options) => under(driver.interactive(options)),
  }
}

export async function openWorkStage(driver: Driver): Promise<Stage> {
  const stage = await openStage(driver)
  await install(stage)
  await gantry(stage, 'up')
  return stage
}

/** Begins an effort in a scenario's folder. */
export function startEffort(stage: Stage, scenario: string, ...flags: string[]): EffortView {
  return json(stage, scenario, 'effort', 'start', 'implement', '--json', ...flags) as EffortView
}

export function effortOf(stage: Stage, { id }: Pick<EffortView, 'id'>): EffortDetail {
  return json(stage, '.', 'rpc', 'effort.get', JSON.stringify({ effort: id })) as EffortDetail
}

/** Sub-agents aside. */
export function windowsOf(stage: Stage, effort: Pick<EffortView, 'id'>): WindowView[] {
  return effortOf(stage, effort).sessions.filter(({ agentId }) => agentId === '')
}

/** Waits until the effort has so many windows. */
export function windows(stage: Stage, effort: EffortView, count: number): Promise<WindowView[]> {
  return settled(
    () => windowsOf(stage, effort),
    (found) => found.length >= count,
    LONG_MS,
  )
}

/** The first request to the model that has this text in it. */
export function request(stage: Stage, text: string): Promise<Seen | undefined> {
  return settled(
    () => stage.model.requests.find((one) => one.text.includes(text)),
    (found) => found !== undefined,
    LONG_MS,
  )
}

export const PAYLOAD = {
  task: 'Teach the parrot to count',
  decisions: ['It counts in primes, because it likes them'],
  files: ['src/parrot.ts'],
  nextSteps: ['Ask it for the number after seven'],
}

/** What the instruction asks for, as a model would do it. */
export const DEHYDRATE = `gantry effort dehydrate <<'EOF'\n${JSON.stringify(PAYLOAD)}\nEOF`

export const bash = (command: string): ToolCall => ({
  name: 'Bash',
  input: { command, description: 'a command' },
})

function json(stage: Stage, scenario: string, ...args: string[]): unknown {
  const ran = Bun.spawnSync([GANTRY, ...args], { cwd: stage.project(scenario), env: stage.env })
  if (!ran.success) throw new Error(`gantry ${args.join(' ')}: ${ran.stderr.toString()}`)
  return JSON.parse(ran.stdout.toString())
}

/**
 * gantry as a plugin of an agent's own form: its hooks really run, are obeyed, and stand down where the settings have
 * ours. One suite, run with each real program that takes one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import type { Driver } from './driver.ts'
import { expectClean } from './expect.ts'
import type { ToolCall } from './mock/model.ts'
import { gantry, install, openStage, type Run, type Stage } from './stage.ts'

export interface PluginSubject {
  readonly driver: Driver
  shell(command: string): ToolCall
  /** Gives the agent the bundle, as its own words say; the environment is the stage's. */
  give(stage: Stage, folder: string): void
  readonly args?: readonly string[]
}

/** Events of a turn with one call, each of which must come once. */
const ONCE = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const

export function testPlugin(subject: PluginSubject): void {
  const { driver, shell, give, args = [] } = subject
  const { agent, version } = driver.release
  const once = (run: Run) => ONCE.map((type) => [type, run.events.filter(isA(type)).length])
  const eachOnce = ONCE.map((type) => [type, 1])

  describe(`plugin for ${agent} ${version}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await openStage(driver)
      const folder = join(stage.home, 'bundle')
      await gantry(stage, 'plugin', agent, folder)
      await gantry(stage, 'plugin', agent, folder) // again, over its own files
      give(stage, folder)
      mkdirSync(stage.places.rules, { recursive: true })
      copyFileSync(join(import.meta.dir, 'rules.yaml'), join(stage.places.rules, 'agents.yaml'))
      await gantry(stage, 'up')
    })
    afterAll(() => stage.close())

    const turn = async (scenario: string): Promise<Run> => {
      const run = await stage.ask(scenario, [{ calls: [shell('touch ran')] }, { text: 'Done.' }], { args })
      expect(run.exit, run.stderr).toBe(0)
      expectClean(run.events, driver)
      return run
    }

    test('its hooks run', async () => {
      const run = await turn('plugin')
      expect(existsSync(join(run.project, 'ran'))).toBe(true)
      expect(once(run)).toEqual(eachOnce)
    })

    test('deny is obeyed', async () => {
      const run = await turn('deny')
      expect(existsSync(join(run.project, 'ran'))).toBe(false)
      expect(run.seen[1]?.text).toContain('gantry says no to this one')
    })

    test('beside hooks in the settings, no event comes twice', async () => {
      await install(stage)
      expect(once(await turn('both'))).toEqual(eachOnce)
      await gantry(stage, 'uninstall', agent, '--yes')
    })
  })
}

/** Runs one of the agent's own commands, which must work. */
export function runAgent(stage: Stage, ...argv: readonly string[]): void {
  const { success, stdout, stderr } = Bun.spawnSync([...argv], { cwd: stage.home, env: stage.env })
  if (!success) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`)
}

function isA(type: string): (event: WireEvent) => boolean {
  return (event) => event.type === type
}

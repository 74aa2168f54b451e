/** Hand-written settings until install exists. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor } from '../../src/agents/index.ts'
import { HOOK } from '../kit.ts'
import { gantry, type Stage } from './stage.ts'

export async function install(stage: Stage): Promise<void> {
  if ((await stage.gantry('install', '--help')).exit === 0) {
    await gantry(stage, 'install', stage.driver.release.agent, '--yes')
    return
  }
  await wire(stage)
}

export async function wire(stage: Stage): Promise<void> {
  const { agent, version } = stage.driver.release
  const known = agentFor(agent).events
  const path = join(stage.home, stage.driver.settings.at(-1) ?? '')
  cpSync(HOOK, join(stage.home, 'gantry/bin/gantry-hook'))
  const MINE = join(stage.home, 'gantry/bin/gantry-hook')
  const names = Object.entries(known)
    .filter(
      ([name, one]) =>
        /^[A-Z]/.test(name) &&
        !['WorktreeCreate', 'MessageDisplay'].includes(name) &&
        !(version === '2.0.77' && one.since !== '2.0.77'),
    )
    .map(([name]) => name)
  const hot = ['BeforeModel', 'AfterModel', 'BeforeToolSelection']
  const handler = (name: string) =>
    agent === 'claude' && version !== '2.0.77'
      ? { type: 'command', command: MINE, args: ['claude', name] }
      : { type: 'command', command: `[ ! -x ${MINE} ] || ${MINE} ${agent} ${name}` }
  const ours = Object.fromEntries(
    names.filter((n) => !hot.includes(n)).map((name) => [name, [{ hooks: [handler(name)] }]]),
  )
  let before: Record<string, unknown> = {}
  try {
    before = JSON.parse(
      readFileSync(path, 'utf8')
        .replace(/^ *\/\/.*$/gm, '')
        .replace(/, *}/g, '}'),
    )
  } catch (e) {
    if (agent !== 'codex') throw e
  }
  const theirs = (before.hooks ?? {}) as Record<string, unknown[]>
  for (const [name, list] of Object.entries(theirs)) ours[name] = [...(ours[name] ?? []), ...list] as never
  writeFileSync(path, JSON.stringify({ ...before, hooks: ours }, null, 2))
}

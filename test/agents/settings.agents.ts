/** What the real agents take in their settings beyond JSON: `takes` in each agent's record says the same. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agents, type BeyondJson } from '../../src/agents/index.ts'
import { settingsIn } from '../../src/install/edit/settings-text.ts'
import { claude, oldClaude } from './claude.ts'
import { codex, TRUST_HOOKS } from './codex.ts'
import { droid } from './droid.ts'
import { gemini } from './gemini.ts'
import { qwen } from './qwen.ts'
import { openStage } from './stage.ts'

const FORMS: Readonly<Record<BeyondJson, (json: string) => string>> = {
  'a comment': (json) => json.replace('{', '{ // mine\n'),
  'a trailing comma': (json) => json.replace(/\}$/, ',}'),
  'a byte order mark': (json) => `\uFEFF${json}`,
}

const HOOK_FILES = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
  droid: '.factory/settings.json',
}
const EVENTS = {
  claude: 'UserPromptSubmit',
  codex: 'UserPromptSubmit',
  gemini: 'BeforeAgent',
  qwen: 'UserPromptSubmit',
  droid: 'SessionStart',
}
const ALL = Object.keys(FORMS) as BeyondJson[]

test.each([
  [claude, ALL],
  [oldClaude, ['a comment'] as BeyondJson[]], // it takes seven seconds for each
  [codex, ALL],
  [gemini, ALL],
  [qwen, ALL],
  [droid, ALL],
] as const)('%#: a hook runs beside what the agent takes, and beside nothing else', async (driver, forms) => {
  const { version } = driver.release
  const agent = driver.release.agent as keyof typeof HOOK_FILES
  const stage = await openStage(driver)
  try {
    const file = join(stage.home, HOOK_FILES[agent])
    const settings = settingsIn(readFileSync(file, 'utf8'), file) as Record<string, unknown>
    const args = agent === 'codex' ? { args: [TRUST_HOOKS] } : {}
    const hears = async (form: string, text: (json: string) => string) => {
      const name = form.replaceAll(' ', '-')
      const heard = join(stage.home, `heard-${name}`)
      const hooks = { [EVENTS[agent]]: [{ hooks: [{ type: 'command', command: `touch '${heard}'` }] }] }
      writeFileSync(file, text(JSON.stringify({ ...settings, hooks })))
      await stage.ask(name, [{ text: 'Hello.' }], { ...args, journal: false })
      return existsSync(heard)
    }
    expect(await hears('plain', (json) => json)).toBe(true)
    const taken: BeyondJson[] = []
    for (const form of forms) if (await hears(form, FORMS[form])) taken.push(form)
    const said = agents.get(agent)?.settings?.takes ?? []
    expect({ agent, version, taken }).toEqual({
      agent,
      version,
      taken: forms.filter((form) => said.includes(form)),
    })
  } finally {
    await stage.close()
  }
})

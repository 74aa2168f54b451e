/** The lines of docs/mcp.md in the real Codex, Gemini CLI, Copilot CLI and opencode: each offers gantry's tools to its model. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyEdits, modify, parse } from 'jsonc-parser'
import { GANTRY, ROOT } from '../kit.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import type { Driver } from './driver.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { gantry, openStage } from './stage.ts'

const page = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8')

/** What the page says for one file of the agent's, with the path of the program under test. */
function linesFor(file: string): string {
  const [, after = ''] = page.split(`\`~/${file}\``)
  const [, lines = ''] = /```\w+\n([\s\S]*?)```/.exec(after) ?? []
  return lines
    .replace('"gantry", "mcp"', `"${GANTRY}", "mcp"`)
    .replace(/(command"? ?[=:] )"gantry"/, `$1"${GANTRY}"`)
}

function added(file: string, text: string): string {
  const lines = linesFor(file)
  if (file.endsWith('.toml')) return `${text}\n${lines}`
  const [name = '', value] = Object.entries(parse(lines) as object)[0] ?? []
  return applyEdits(text, modify(text, [name], value, {}))
}

const AGENTS: readonly [Driver, string][] = [
  [codex, '.codex/config.toml'],
  [gemini, '.gemini/settings.json'],
  [copilot, '.copilot/mcp-config.json'],
  [opencode, '.config/opencode/opencode.json'],
]

describe('the lines of docs/mcp.md', () => {
  test.each(AGENTS.map(([driver, file]) => [driver.release.agent, driver, file] as const))(
    '%s offers the tools to its model',
    async (_, driver, file) => {
      const stage = await openStage(driver)
      try {
        await gantry(stage, 'up')
        const path = join(stage.home, file)
        const text = added(file, existsSync(path) ? readFileSync(path, 'utf8') : '{}')
        expect(text).toContain(GANTRY)
        writeFileSync(path, text)
        const run = await stage.ask('tools', [{ text: 'Seen.' }], { journal: false })
        expect(run.exit).toBe(0)
        const sent = run.seen.map((one) => one.text).join('\n')
        for (const words of ['The last calls that gantry denied', 'Which sessions changed a file'])
          expect(sent).toContain(words)
      } finally {
        await stage.close()
      }
    },
  )
})

/**
 * Generates passages of pages that are written by hand: what stands between `<!-- Made by "npm run docs": signs -->` and
 * `<!-- end -->`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from '../../src/agents/facts.ts'
import { agents } from '../../src/agents/index.ts'
import { SHIPPED } from '../../src/insight/schema/index.ts'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['README.md', 'docs/install.md', 'docs/schemas.md', 'docs/tui.md']
const PASSAGE = /(<!-- Made by "npm run docs": ([\w-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g

const KNOWN = [...agents.values()].flatMap((agent) =>
  agent.settings ? [{ agent, settings: agent.settings }] : [],
)
const PASSAGES: Readonly<Record<string, () => string>> = {
  agents: agentNames,
  signs,
  baselines,
  'beyond-json': beyondJson,
}

export function pagesWithPassages(): Record<string, string> {
  return Object.fromEntries(PAGES.map((page) => [page, withPassages(page)]))
}

function withPassages(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8').replace(
    PASSAGE,
    (_, begin: string, name: string, end: string) => {
      const make = PASSAGES[name]
      if (!make) throw new Error(`${page}: no passage has the name "${name}".`)
      return `${begin}${make()}${end}`
    },
  )
}

function agentNames(): string {
  return `One local daemon for the hooks of every coding agent: ${listed(KNOWN.map(({ settings }) => settings.title))}.`
}

function signs(): string {
  const known = KNOWN.map(({ agent, settings }) => `\`${agent.glyph}\` is ${settings.title}`)
  return `${known.join(', ')}; \`${factsOf('').glyph}\` is any other agent.`
}

function baselines(): string {
  const shipped = KNOWN.flatMap(({ agent, settings }) =>
    SHIPPED.filter((one) => one.agent === agent.id).map(({ version, from = '' }) => {
      const also = from.replace(/^recorded(, and )?/, '')
      return `${settings.title} ${version}${also ? ` (and ${also})` : ''}`
    }),
  )
  return `Recorded from the real programs, these come with gantry: ${listed(shipped)}.`
}

/** What each agent takes in a file into which hooks are merged. */
function beyondJson(): string {
  const input = { version: undefined, client: { path: '/gantry-hook' }, with: new Map(), statusLine: false }
  const rows = KNOWN.flatMap(({ settings }) => {
    const wiring = settings.wiring(input)
    if (wiring.kind !== 'merge') return []
    const cells = (['a comment', 'a trailing comma', 'a byte order mark'] as const).map((kind) =>
      settings.takes.includes(kind) ? 'yes' : 'no',
    )
    return [`| ${settings.title} \`${wiring.file}\` | ${cells.join(' | ')} |`]
  })
  return ['| | comments | trailing commas | a byte order mark |', '|---|---|---|---|', ...rows].join('\n')
}

/** `a, b and c`. */
function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

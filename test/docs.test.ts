/** What the docs say is what the code does. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedDocs } from '../scripts/docs/tables.ts'
import * as claudeLike from '../src/agents/claude/like/agent.ts'
import * as claudeFormat from '../src/agents/claude/like/format.ts'
import { type Agent, agents } from '../src/agents/index.ts'
import * as opencode from '../src/agents/opencode/settings.ts'
import { post } from '../src/bus/webhooks/request.ts'
import { postJson } from '../src/core/post.ts'
import { KINDS } from '../src/notify/channels/channel.ts'
import { PHASES } from '../src/sessions/state/phase.ts'
import { ROOT } from './kit.ts'

describe('the docs', () => {
  test('generated pages are up to date (npm run docs)', async () => {
    for (const [file, text] of Object.entries(await generatedDocs())) {
      expect(readFileSync(join(ROOT, file), 'utf8') === text, `${file} is old: npm run docs`).toBe(true)
    }
  })

  test('the page on notifications has a row for every kind of channel', () => {
    expectIn('docs/notify.md', new Map(KINDS.map((kind) => [kind, `| \`${kind}\` |`])))
  })

  test('the page on sessions has a row for every phase, and another for its sign', () => {
    expectIn('docs/sessions.md', new Map(PHASES.map((phase) => [phase, `\n| ${phase} |`])))
    const [, signs = ''] = readFileSync(join(ROOT, 'docs/sessions.md'), 'utf8').split('## Words and signs')
    const unsigned = PHASES.filter(
      (phase) => !new RegExp(`^\\|.*\`(phase: ")?${phase}["\`]`, 'm').test(signs),
    )
    expect(unsigned).toEqual([])
  })

  test('the page on webhooks names every header that gantry sends', async () => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => Response.json([...request.headers.keys()]),
    })
    const ofAny = await postJson(server.url.href, { body: '{}', timeoutMs: 30_000, maxBytes: 4096 })
    const url = `http://user:password@127.0.0.1:${server.port}/`
    const ofWebhook = await post({ url, secret: 'a secret of the docs', timeoutMs: 30_000 }, 'id', '{}')
    await server.stop()
    const ours = namesIn(ofWebhook.answer).filter(
      (name) => !namesIn('answer' in ofAny ? ofAny.answer : '').includes(name),
    )
    expect(ours).toContain('gantry-signature')
    expectIn('docs/webhooks.md', new Map(ours.map((name) => [name, name])))
  })

  test('every promise of the README names tests that hold it', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const [, table = ''] = /## What it promises\n\n((?:\|.*\n)+)/.exec(readme) ?? []
    const rows = table.trim().split('\n').slice(2)
    expect(rows.length).toBeGreaterThanOrEqual(6)
    for (const row of rows) {
      const tests = testsIn(row.split('|').at(-2) ?? '')
      expect(tests.length, row).toBeGreaterThan(0)
      for (const file of tests) expect(existsSync(join(ROOT, file)), file).toBe(true)
    }
  })

  test('every part of the page on security names tests', () => {
    const [, ...parts] = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('\n## ')
    for (const part of parts.filter((one) => !one.startsWith('What leaves')))
      expect(testsIn(part).length, part.split('\n')[0]).toBeGreaterThan(0)
  })

  test('no link leads nowhere', () => {
    const pages = ['*.md', 'docs/**/*.md'].flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: ROOT })])
    expect(pages).toContain('docs/coming-from/README.md')
    for (const file of pages) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        expect(existsSync(join(ROOT, dirname(file), target)), `${file} → ${target}`).toBe(true)
      }
    }
  })

  test('the page on installing has a row for every agent', () => {
    expectIn('docs/install.md', new Map(titlesOf().map((title) => [title, `\n| ${title.toLowerCase()} |`])))
  })

  test('every agent whose transcript gantry reads is named where that is promised', () => {
    const titles = titlesOf(({ transcript }) => transcript !== undefined)
    for (const page of ['docs/commands.md', 'docs/coming-from/teleclaude.md']) {
      const lines = readFileSync(join(ROOT, page), 'utf8').split('\n')
      expect(
        lines.some((line) => titles.every((title) => line.includes(title))),
        page,
      ).toBe(true)
    }
  })

  test('what the section on a new agent calls its record is there', () => {
    const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    const [, section = ''] = /\n## An agent of your own\n([\s\S]*?)\n## /.exec(contributing) ?? []
    const words = [...section.matchAll(/`([a-z][A-Za-z]+)`/g)].map(([, word = '']) => word)
    expect(words).toContain('permissionPrompt')
    const parts = [...agents.values()].flatMap((agent) => [
      agent,
      agent.settings ?? {},
      ...(agent.settings?.hooks ?? []),
    ])
    const known = new Set([...parts, claudeLike, claudeFormat, opencode].flatMap((part) => Object.keys(part)))
    expect(words.filter((word) => !known.has(word))).toEqual([])
  })

  test('the pages for contributors name files that exist', () => {
    for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
      for (const [, path = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(FILE))
        expect(existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'src', path)), `${page}: ${path}`).toBe(
          true,
        )
  })
})

/** The page has each of these texts, whatever their case. */
function expectIn(page: string, texts: ReadonlyMap<string, string>): void {
  const said = readFileSync(join(ROOT, page), 'utf8').toLowerCase()
  const missing = [...texts].filter(([, text]) => !said.includes(text)).map(([name]) => name)
  expect(missing, `${page} lacks ${missing.join(', ')}`).toEqual([])
}

/** As people call them. */
function titlesOf(which: (agent: Agent) => boolean = () => true): string[] {
  return [...agents.values()].filter(which).flatMap(({ settings }) => settings?.title ?? [])
}

const namesIn = (answer: string) => JSON.parse(answer || '[]') as string[]

/** A file in a folder, as text in backquotes. */
const FILE = /`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g

/** What links to tests lead to. */
function testsIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = '']) => file)
}

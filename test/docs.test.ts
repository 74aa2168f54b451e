/** What the docs say is what the code does. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedDocs } from '../scripts/docs/tables.ts'
import { ROOT } from './kit.ts'

describe('the docs', () => {
  test('generated pages are up to date (npm run docs)', async () => {
    for (const [file, text] of Object.entries(await generatedDocs())) {
      expect(readFileSync(join(ROOT, file), 'utf8'), file).toBe(text)
    }
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

  test('the pages for contributors name files that exist', () => {
    for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
      for (const [, path = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(FILE))
        expect(existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'src', path)), `${page}: ${path}`).toBe(
          true,
        )
  })
})

/** A file in a folder, as text in backquotes. */
const FILE = /`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g

/** What links to tests lead to. */
function testsIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = '']) => file)
}

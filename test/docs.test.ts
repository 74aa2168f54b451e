/** What the docs say is what the code does. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedDocs } from '../scripts/docs-tables.ts'
import { ROOT } from './kit.ts'

describe('the docs', () => {
  test('generated pages are up to date (npm run docs)', async () => {
    for (const [file, text] of Object.entries(await generatedDocs())) {
      expect(readFileSync(join(ROOT, file), 'utf8'), file).toBe(text)
    }
  })

  test('no link leads nowhere', () => {
    for (const file of [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/hooks.md',
      'docs/install.md',
      'docs/approvals.md',
      'docs/tmux.md',
      'docs/webhooks.md',
      'docs/notify.md',
      'docs/search.md',
      'docs/replay.md',
    ]) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        expect(existsSync(join(ROOT, dirname(file), target)), `${file} → ${target}`).toBe(true)
      }
    }
  })
})

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { carried, noticesText } from './notices.ts'

const ROOT = join(import.meta.dir, '../..')
const IMPORT = /(?:from|import\() ?'((?:@[\w-]+\/)?\w[\w.-]*)(?:\/[^']*)?'/g

test('every package that the sources import is named with the text of its licence', async () => {
  const imported = new Set<string>()
  for await (const path of new Glob('src/**/*.{ts,tsx}').scan(ROOT)) {
    if (/\.test\.tsx?$|\/test(ing|kit)|\/sdk\//.test(path)) continue
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT))
      if (existsAsPackage(name)) imported.add(name)
  }
  expect(imported.size).toBeGreaterThan(10)
  const named = new Map(carried().map((one) => [one.name, one]))
  expect([...imported].filter((name) => !named.get(name)?.texts.length)).toEqual([])
  const text = noticesText()
  for (const name of ['musl', 'Bun', 'uplot']) expect(text.toLowerCase()).toContain(name.toLowerCase())
})

function existsAsPackage(name: string): boolean {
  try {
    readFileSync(join(ROOT, 'node_modules', name, 'package.json'))
    return name !== 'bun'
  } catch {
    return false
  }
}

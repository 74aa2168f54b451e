/** What a browser has to load: it stays small, and the first view smaller. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT } from '../kit.ts'

const KB = 1024

test('the page has at most 200 KB, and its first view 120', async () => {
  const bytes = await Bun.file(join(ROOT, 'dist/page.assets')).bytes()
  const end = bytes.indexOf(10)
  const { files } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as {
    files: Record<string, { at: number; bytes: number }>
  }
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (files[name]?.bytes ?? 0), 0) / KB
  const textOf = (name: string) => {
    const { at, bytes: length } = files[name] ?? { at: 0, bytes: 0 }
    return new TextDecoder().decode(Bun.gunzipSync(bytes.slice(end + 1 + at, end + 1 + at + length)))
  }
  /** With what it imports at once; `import(…)` is for later. */
  const first = new Set(['index.html'])
  for (const name of first)
    for (const [, found = ''] of textOf(name).matchAll(
      /(?:src="|href="|from"|import")(?:\/assets\/|\.\/)([\w.-]+)"/g,
    ))
      if (files[found]) first.add(found)
  expect([...first].some((name) => /^main-.*\.js$/.test(name))).toBe(true)
  expect([...first].some((name) => /^page-.*\.css$/.test(name))).toBe(true)
  expect(sizeOf(first)).toBeGreaterThan(50)
  expect(sizeOf(first)).toBeLessThanOrEqual(120)
  expect(sizeOf(Object.keys(files))).toBeLessThanOrEqual(200)
  expect(sizeOf(Object.keys(files)) - sizeOf(first)).toBeGreaterThan(50)
})

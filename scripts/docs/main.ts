/** npm run docs: generates tables in docs/ from the code; a test fails if they are outdated. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedDocs } from './tables.ts'

const ROOT = join(import.meta.dir, '../..')
const check = process.argv.includes('--check')
let stale = 0
for (const [file, text] of Object.entries(await generatedDocs())) {
  const path = join(ROOT, file)
  if (readIfThere(path) === text) continue
  stale += 1
  if (check) console.error(`${file} is not up to date: run npm run docs`)
  else writeFileSync(path, text)
}
if (check && stale > 0) process.exit(1)

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

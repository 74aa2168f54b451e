/** What gantry knows about an agent is in its record: nothing outside of `src/agents` asks which agent it is. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentTables } from '../scripts/generate/agent-tables.ts'
import { nativeTable } from '../scripts/generate/native-table.ts'
import { AGENT_NAMES, ofAllAgents } from '../src/agents/facts.ts'
import { ROOT } from './kit.ts'

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm
/** Neither hand-written, nor part of what runs. */
const ASIDE = /\.test\.tsx?$|testkit\.ts$|\.gen\.(ts|h)$|^src\/(agents|sdk\/generated|replay\/recordings)\//

const GLOBS = ['src/**/*.{ts,tsx}', 'native/*.{c,h}']
const files = GLOBS.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: ROOT })])

function namedIn(file: string, words: readonly string[]): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(COMMENTS, '')
  const literals = new RegExp(`(['"])(?:${words.join('|')})\\1|^ *(?:${words.join('|')}):`, 'gm')
  return [...text.matchAll(literals)].map(([found]) => `${file} has ${found.trim()}`)
}

test('no agent and no variable of one is named outside of src/agents', () => {
  const words = [...AGENT_NAMES, ...ofAllAgents(({ env, marks }) => [...env, ...marks])]
  const sources = files.filter((file) => !ASIDE.test(file))
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.flatMap((file) => namedIn(file, words))).toEqual([])
})

test('what is copied from the records is up to date (npm run docs)', () => {
  const tables = { ...agentTables(), ...nativeTable() }
  for (const [file, text] of Object.entries(tables))
    expect(readFileSync(join(ROOT, file), 'utf8') === text, file).toBe(true)
})

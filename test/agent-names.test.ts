/** What gantry knows about an agent is in its record: nothing outside of `src/agents` asks which agent it is. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentTables } from '../scripts/generate/agent-tables.ts'
import { nativeTable } from '../scripts/generate/native-table.ts'
import { AGENT_NAMES, ofAllAgents } from '../src/agents/facts.ts'
import { ROOT } from './kit.ts'

/** Comments, and what can hold the signs of one: regular expressions and strings. */
const TOKENS = new RegExp(
  [
    /(?<comment>\/\*[\s\S]*?\*\/|\/\/.*$)/,
    /(?<pattern>(?<=(?:[=(,:;!&|?{}[]|=>|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/)/,
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<template>`(?:\\.|[^`\\])*`)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)
/** Neither hand-written, nor part of what runs. */
const ASIDE = /\.test\.tsx?$|testkit\.ts$|\.gen\.(ts|h)$|^src\/(agents|sdk\/generated|replay\/recordings)\//

const GLOBS = ['src/**/*.{ts,tsx}', 'native/*.{c,h}']
const files = GLOBS.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: ROOT })])

const VARIABLES = ofAllAgents(({ env, marks }) => [...env, ...marks])

const WORDS = [...AGENT_NAMES, ...VARIABLES].join('|')

/** A string, a part of an import's path, a key of an object, or a variable read by its name: `env.CODEX_HOME`. */
const NAMED = new RegExp(
  [
    `(['"])(?:${WORDS})\\1`,
    `(['"])\\.\\.?/(?:[^'"\\s]*[^\\w'"\\s])?(?:${WORDS})(?:[^\\w'"\\s][^'"\\s]*)?\\2`,
    `(?:^|[{,]) *(?:${WORDS}):`,
    `\\.(?:${VARIABLES.join('|')})\\b`,
  ].join('|'),
  'gm',
)
const WHOLE = new RegExp(`^\`(?:${WORDS})\`$`)
const WORD = new RegExp(`(?<![\\w.-])(?:${WORDS})(?![\\w-])`)

/** Whatever names an agent in this code: outside of comments, and as a word of a regular expression, too. */
function namesIn(code: string): string[] {
  const tokens = [...code.matchAll(TOKENS)].map(({ groups }) => groups ?? {})
  const text = code.replace(TOKENS, (token, ...rest) => (rest.at(-1)?.comment === undefined ? token : ''))
  return [
    ...[...text.matchAll(NAMED)].map(([named]) => named.trim()),
    ...tokens.flatMap(({ template = '' }) => (WHOLE.test(template) ? [template] : [])),
    ...tokens.flatMap(({ pattern = '' }) => (WORD.test(pattern) ? [pattern] : [])),
  ]
}

test.each([
  ["agent === 'codex'", ["'codex'"]],
  ['agent === `codex`', ['`codex`']],
  ['const is = /^codex$/.test(agent)', ['/^codex$/']],
  ['["http://x", agent === "claude"]', ['"claude"']],
  ['[/https?:\\/\\//, agent === "claude"]', ['"claude"']],
  ["import x from './baselines/claude-documented.json'", ["'./baselines/claude-documented.json'"]],
  ["'~/.codex' + './claudeish' + '../codex'", ["'../codex'"]],
  ["x // 'claude'\n/* 'codex' */ y", []],
  ["'held: `codex`' + /claude-code/.source", []],
])('%s names %p', (code, names) => {
  expect(namesIn(code)).toEqual(names)
})

test('no agent and no variable of one is named outside of src/agents', () => {
  const sources = files.filter((file) => !ASIDE.test(file))
  expect(sources.length).toBeGreaterThan(300)
  const named = sources.flatMap((file) =>
    namesIn(readFileSync(join(ROOT, file), 'utf8')).map((found) => `${file} has ${found}`),
  )
  expect(named).toEqual([])
})

test('what is copied from the records is up to date (npm run docs)', () => {
  const tables = { ...agentTables(), ...nativeTable() }
  for (const [file, text] of Object.entries(tables))
    expect(readFileSync(join(ROOT, file), 'utf8') === text, file).toBe(true)
})

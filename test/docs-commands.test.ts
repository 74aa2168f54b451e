/** Every command of gantry that a page names, with its options, is one that gantry has. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, isGroup } from '../src/cli/commands.ts'
import { COMMON_OPTIONS, type Option } from '../src/cli/framework/define.ts'
import { ROOT } from './kit.ts'

const PAGES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'docs/**/*.md', 'examples/**/*.md']

test('commands and options are those of their definitions', () => {
  const pages = PAGES.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: ROOT })])
  const named = pages.flatMap((page) => commandLines(page).map((line) => ({ page, line })))
  expect(named.length).toBeGreaterThan(500)
  expect(
    named.flatMap(({ page, line }) => faultsOf(line).map((fault) => `${page}: gantry ${line}: ${fault}`)),
  ).toEqual([])
})

/** What follows `gantry` in backquotes and in examples for the shell. */
function commandLines(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  )
  const inline = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
  return [...blocks.map((line) => line.replace(/(^|\s)#.*/, '')), ...inline]
    .flatMap((code) => withoutQuoted(code).split(/&&|\$\(|[|;()]/))
    .flatMap((code) => /^\s*gantry\s+(.*)/.exec(code)?.[1]?.trim() ?? [])
}

const withoutQuoted = (code: string) => code.replace(/'[^']*'|"[^"]*"/g, 'quoted')

function faultsOf(line: string): string[] {
  const words = line.split(/\s+/)
  const { name, command, rest } = findCommand(words)
  if (!command) return isGroup(name) || !/^[a-z]/.test(name) ? [] : ['no such command']
  const options: Readonly<Record<string, Option>> = { ...command.options, ...COMMON_OPTIONS }
  const shorts = Object.values(options).map(({ short }) => short)
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
  return own.flatMap((word) => {
    const [, long, short] = /^-(?:-([a-z][a-z-]*)|([a-zA-Z]))/.exec(word) ?? []
    const isKnown = (long === undefined || long in options) && (short === undefined || shorts.includes(short))
    return isKnown ? [] : [`no option ${word}`]
  })
}

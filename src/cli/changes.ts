/** How a change to somebody's settings is shown and asked about; the same for install and uninstall. */
import { createInterface } from 'node:readline/promises'
import { diffOf } from '../install/index.ts'
import { bold, columns, cut, cyan, dim, green, out, plain, red } from './terminal.ts'

export const MARKS = { plan: cyan('●'), done: green('✓'), failed: red('✗') } as const

export function title(mark: string, name: string, version: string | undefined, rest: string): void {
  out(`${mark} ${bold(name)}${version ? ` ${plain(version)}` : ''}  ${dim(plain(rest))}`)
}

export function line(text: string): void {
  out(`  ${plain(text)}`)
}

/** Long lines are cut on a terminal, where nobody reads them; a file or a pipe gets all of it. */
export function showDiff(before: Buffer | undefined, after: Buffer | undefined): void {
  const width = process.stdout.isTTY ? columns() - 3 : Number.POSITIVE_INFINITY
  for (const text of diffOf(before, after)) out(`  ${coloured(cut(plain(text), width))}`)
}

function coloured(text: string): string {
  if (text.startsWith('@@')) return cyan(text)
  if (text.startsWith('+')) return green(text)
  return text.startsWith('-') ? red(text) : dim(text)
}

/** Undefined where nobody can be asked. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`\n${bold(question)} [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

/** `/home/me/.claude` → `~/.claude`. */
export function short(path: string): string {
  const home = process.env.HOME
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

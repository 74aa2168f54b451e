/** Shows and confirms changes to settings files, for install and uninstall. */
import { agentMark, refuseInsideAgent } from '../../agents/inside-agent.ts'
import { whichOf } from '../../core/text/closest.ts'
import { counted, escaped } from '../../core/text/text.ts'
import { diffOf, wireable } from '../../install/index.ts'
import { ask } from '../framework/ask.ts'
import {
  bold,
  cut,
  cyan,
  dim,
  green,
  isTerminal,
  out,
  paragraph,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'

export const MARKS = { plan: cyan('●'), done: green('✓'), failed: red('✗'), left: yellow('!') } as const

export function title(mark: string, name: string, version: string | undefined, rest: string): void {
  const where = rest === '' ? '' : `  ${dim(plain(rest))}`
  out(`${mark} ${bold(name)}${version ? ` ${plain(version)}` : ''}${where}`)
}

export function line(text: string, style = (one: string) => one): void {
  out(paragraph('  ', plain(text), style))
}

/** For an extended attribute that this user may not set. */
export function lostWords(name: string): string {
  return `The file could not keep ${name}. Set it again if you need it.`
}

const NEW_FILE_LINES = 24 // of a file that is wholly ours: nothing of the user's is in the rest
const LINE_LIMIT_CHARS = 600 // on a terminal: a file on one line would fill the screen and show nothing

/** Prints a diff. On a terminal similar lines are folded, unless `whole`. */
export function showDiff(before: Buffer | undefined, after: Buffer | undefined, whole: boolean): void {
  const isShort = process.stdout.isTTY && !whole
  const lines = isShort ? folded(diffOf(before, after)) : diffOf(before, after)
  const shown = isShort && before === undefined ? lines.slice(0, NEW_FILE_LINES) : lines
  for (const text of shown) {
    out(`  ${coloured(isShort ? cut(escaped(text), LINE_LIMIT_CHARS) : escaped(text))}`)
  }
  if (shown.length < lines.length)
    line(`… ${counted(lines.length - shown.length, 'more line')}; --dry-run shows all`, dim)
}

/** `"Stop": […]`, `"PreToolUse": […]`: the first in full, then the names of the others. */
export function folded(lines: readonly string[]): string[] {
  const short: string[] = []
  for (let i = 0; i < lines.length; ) {
    const first = lines[i] ?? ''
    const kind = kindOf(first)
    let end = i + 1
    while (kind !== undefined && kindOf(lines[end] ?? '') === kind) end += 1
    if (end - i < FOLD_FROM) short.push(...lines.slice(i, end))
    else {
      const names = lines
        .slice(i + 1, end)
        .map(nameOf)
        .join(', ')
      short.push(first, `${/^.\s*/.exec(first)?.[0]}… the same for ${names}`)
    }
    i = end
  }
  return short
}

const FOLD_FROM = 4

/** The line without its event and its numbers; undefined for any other line. */
function kindOf(text: string): string | undefined {
  const name = nameOf(text)
  return name && text.replaceAll(name, '*').replaceAll(/\d+/g, '#').replace(/,$/, '')
}

function nameOf(text: string): string | undefined {
  return /^[+-]\s*"([\w.]+)": ?\[/.exec(text)?.[1]
}

function coloured(text: string): string {
  if (text.startsWith('@@')) return cyan(text)
  if (text.startsWith('+')) return green(text)
  return text.startsWith('-') ? red(text) : dim(text)
}

/** Whether it may be written. An agent must not remove its own hooks: inside an agent only a person at a terminal can confirm. */
export async function isAgreed(
  isChange: boolean,
  { yes, json }: { readonly yes: boolean; readonly json: boolean },
): Promise<boolean> {
  if (!isChange) return true
  const mark = agentMark(process.env)
  if (yes && mark === undefined) return true
  const answer = json ? undefined : await confirm('Write this?')
  if (answer === undefined) refuseInsideAgent()
  if (answer === undefined && !json) out(`Nothing was written. Add ${cyan('--yes')} to write it.`)
  if (answer === false) out('Nothing was written.')
  return answer === true
}

/** Undefined if there is no terminal. */
async function confirm(question: string): Promise<boolean | undefined> {
  if (!isTerminal()) return undefined
  return /^y(es)?$/i.test(await ask(`\n${bold(question)} [y/N] `))
}

/** Asks for each, and returns those to write; undefined if there is no terminal. `show` prints a diff. */
export async function chosenOf<T>(
  all: readonly T[],
  question: (one: T) => string,
  show: (one: T) => void,
): Promise<readonly T[] | undefined> {
  if (!isTerminal()) return undefined
  const chosen: T[] = []
  for (const [i, one] of all.entries()) {
    const answer = await answerTo(question(one), () => show(one))
    if (answer === 'all') return [...chosen, ...all.slice(i)]
    if (answer === 'quit') return chosen
    if (answer === 'yes') chosen.push(one)
  }
  return chosen
}

const ANSWERS = { y: 'yes', n: 'no', a: 'all', q: 'quit' } as const
type Answer = (typeof ANSWERS)[keyof typeof ANSWERS]

async function answerTo(question: string, show: () => void): Promise<Answer> {
  for (;;) {
    const word = (await ask(`${bold(question)} [y]es, [n]o, show the [d]iff, [a]ll, [q]uit: `)).toLowerCase()
    const letter = word[0] ?? 'q' // an end of the input is no consent
    if (letter === 'd') show()
    else if (letter in ANSWERS) return ANSWERS[letter as keyof typeof ANSWERS]
    else out(`Type one of y, n, d, a and q, not "${plain(word)}".`)
  }
}

export type WiredAgent = ReturnType<typeof wireable>[number]

/** The agents of these names, or all. */
export function agentsOf(names: readonly string[]): readonly WiredAgent[] {
  const known = wireable()
  const ids = known.map(({ id }) => id)
  const unknown = names.find((name) => !ids.some((id) => id === name))
  if (unknown !== undefined) {
    throw usageError(`There is no agent "${unknown}". ${whichOf(unknown, ids)}`)
  }
  return names.length === 0 ? known : known.filter(({ id }) => names.includes(id))
}

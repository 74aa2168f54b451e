/** awk programs: what they print, and the commands that their strings start. */
import type { Word } from '../command.ts'

const STRING = String.raw`"(?:[^"\\\n]|\\.){0,400}"`
const MAX_PROGRAM = 8_000 // characters that are looked at
const PRINT = new RegExp(String.raw`\bprint(f?)\b[ \t(]*((?:${STRING}|[^;}"\n|>])*)`, 'g')
const PIECE = new RegExp(String.raw`${STRING}|\$\w+|[A-Za-z_]\w*|,`, 'g')
const MAX_PRINTS = 32

/** Strings as they are, of a known input its one field, and `$field` for everything else. */
export function printedByAwk(program: string, input: Word | undefined): string | undefined {
  const texts: string[] = []
  for (const [, format, list = ''] of program.slice(0, MAX_PROGRAM).matchAll(PRINT)) {
    if (texts.length >= MAX_PRINTS) break
    const pieces = list.match(PIECE) ?? (input ? ['$0'] : [])
    if (!input && !pieces.some((piece) => piece.startsWith('"'))) continue
    texts.push(format ? formatted(pieces, input) : pieces.map((piece) => pieceText(piece, input)).join(''))
  }
  return texts.length > 0 ? `${texts.join('\n')}\n` : undefined
}

function formatted(pieces: readonly string[], input: Word | undefined): string {
  const [format = '', ...values] = pieces
    .filter((piece) => piece !== ',')
    .map((piece) => pieceText(piece, input))
  let next = 0
  return format.replace(/%[-\d.]*[a-z]/g, () => values[next++] ?? '')
}

function pieceText(piece: string, input: Word | undefined): string {
  if (piece === ',') return ' '
  if (piece.startsWith('"')) return unquoted(piece)
  const field = /^\$(\d+)$/.exec(piece)?.[1]
  const line = input?.known ? input.text.split('\n')[0] : undefined
  if (field === undefined || line === undefined) return '$field'
  return field === '0' ? line : (line.trim().split(/\s+/)[Number(field) - 1] ?? '')
}

const STARTS = [
  new RegExp(String.raw`(${STRING})\s{0,20}\|&?\s{0,20}getline`, 'g'),
  new RegExp(String.raw`\|&?\s{0,20}(${STRING})`, 'g'),
  new RegExp(String.raw`\bsystem\s{0,20}\(\s{0,20}(${STRING})`, 'g'),
]

/** `"date" | getline`, `print x | "sh"`, `system("ls")`. */
export function commandsInAwk(program: string): { text: string; readsPrinted: boolean }[] {
  return STARTS.flatMap((pattern, i) =>
    [...program.slice(0, MAX_PROGRAM).matchAll(pattern)].map(([, text = '']) => ({
      text: unquoted(text),
      readsPrinted: i === 1,
    })),
  )
}

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(["\\/])/g, '$1')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
}

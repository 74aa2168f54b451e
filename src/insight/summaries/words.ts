/** Converts Markdown to plain sentences and shortens them to a number of words. */
import { plain } from '../../core/text/text.ts'

export const TITLE_WORDS = 7
export const SUMMARY_WORDS = 30
const TITLE_CHARS = 80
const SUMMARY_CHARS = 280
const MAX_TEXT_CHARS = 20_000 // longer texts are cut before they are parsed

/** Words that a shortened title must not end with. */
const DANGLING = new Set(
  'a an and as at but by for from in into its of on or so than that the then this to with without your my our'.split(
    ' ',
  ),
)

export function titleOf(text: string): string {
  const all = wordsOf(text)
  const words = all.slice(0, TITLE_WORDS)
  while (words.length > 1 && DANGLING.has(words.at(-1)?.toLowerCase() ?? '')) words.pop()
  const title = cutTo(words.join(' ').replace(/[\s.,;:!?–—-]+$/, ''), TITLE_CHARS)
  const isCut = all.slice(words.length).some((word) => !DANGLING.has(word.toLowerCase()))
  const mark = isCut && !title.endsWith('…') ? '…' : ''
  return title.charAt(0).toUpperCase() + title.slice(1) + mark
}

export function summaryOf(text: string): string {
  return cutTo(atMost(text, SUMMARY_WORDS), SUMMARY_CHARS)
}

/** The first words, with `…` if any are left out. */
export function atMost(text: string, count: number): string {
  const words = wordsOf(text)
  if (words.length <= count) return words.join(' ')
  return `${words
    .slice(0, count)
    .join(' ')
    .replace(/[\s.,;:]+$/, '')}…`
}

export function wordsOf(text: string): string[] {
  return plain(text).split(/\s+/).filter(Boolean)
}

/** Sentences of prose, without code, tables and Markdown marks. */
export function sentencesOf(markdown: string): string[] {
  const sentences: string[] = []
  let fence: string | undefined
  for (const raw of markdown.slice(0, MAX_TEXT_CHARS).split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(raw)?.[1]
    if (mark !== undefined) {
      if (fence === undefined) fence = mark
      else if (mark.startsWith(fence)) fence = undefined
      continue
    }
    if (fence !== undefined || /^\s*\|/.test(raw) || /^\s*[-=*_]{3,}\s*$/.test(raw)) continue
    sentences.push(...splitLine(plainLine(raw)))
  }
  return sentences
}

function splitLine(line: string): string[] {
  return line
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

function plainLine(line: string): string {
  return line
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/!?\[([^[\]]{0,300})\]\([^()]{0,500}\)/g, '$1')
    .replace(/\bhttps?:\/\/\S+/g, '')
    .replace(/^\s*(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+/, '')
    .replace(/^\s*(?:[-*+>]|\[[ xX]\])\s+/, '')
    .replace(/[*_]{2,3}|`+|~~/g, '')
    .replace(/^(?:\p{Extended_Pictographic}|[\u2713\u2717]|\ufe0f|\s)+/u, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function cutTo(text: string, chars: number): string {
  if (text.length <= chars) return text
  const cut = text.slice(0, chars - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), chars / 2))}…`
}

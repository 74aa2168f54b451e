/** Code with its colours, which come when they are loaded; what is too long to read stays without. */
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { shown } from './format.ts'
import type { Piece } from './highlight.ts'
import type { Language } from './language.ts'

const MAX_CHARS = 60_000 // a longer text would hold up the page

export type ColouredLines = readonly (readonly Piece[])[]

/** The colours of some lines; undefined until they are known, and for what has none. */
export function useColours(
  text: string | undefined,
  language: Language | undefined,
): ColouredLines | undefined {
  const [lines, setLines] = useState<{ readonly of: string; readonly lines: ColouredLines }>()
  const wanted = language && text !== undefined && text.length <= MAX_CHARS ? text : undefined
  useEffect(() => {
    if (wanted === undefined || language === undefined) return
    let isOver = false
    // Without them it is as readable.
    import('./highlight.ts').then(
      ({ colouredLines }) => !isOver && setLines({ of: wanted, lines: colouredLines(wanted, language) }),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [wanted, language])
  return lines?.of === wanted ? lines?.lines : undefined
}

export function Code({ text, language }: { readonly text: string; readonly language: Language | undefined }) {
  const lines = useColours(text, language)
  if (!lines) return shown(text)
  return lines.map((line, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move
    <Fragment key={n}>
      {n > 0 ? '\n' : ''}
      {line.map(painted)}
    </Fragment>
  ))
}

function painted({ text, scope }: Piece, n: number): ReactNode {
  return scope === '' ? (
    shown(text)
  ) : (
    <span key={n} className={`hl-${scope}`}>
      {shown(text)}
    </span>
  )
}

interface Word {
  readonly text: string
  readonly changed: boolean
}

/** A line of a diff: its colours, and the words of it that changed. Both cut the same text into pieces. */
export function CodeLineText({
  words,
  colours,
}: {
  readonly words: readonly Word[]
  readonly colours: readonly Piece[]
}) {
  return overlaid(words, colours).map(({ changed, ...piece }, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move
    changed ? <b key={n}>{painted(piece, n)}</b> : <Fragment key={n}>{painted(piece, n)}</Fragment>,
  )
}

export function overlaid(words: readonly Word[], colours: readonly Piece[]): readonly (Piece & Word)[] {
  const pieces: (Piece & Word)[] = []
  let [n, left] = [0, colours[0]?.text.length ?? 0]
  for (const { text, changed } of words) {
    let rest = text
    while (rest !== '') {
      const scope = colours[n]?.scope ?? ''
      const length = n < colours.length ? Math.min(left, rest.length) : rest.length
      pieces.push({ text: rest.slice(0, length), scope, changed })
      rest = rest.slice(length)
      left -= length
      while (left <= 0 && n < colours.length) {
        n += 1
        left = colours[n]?.text.length ?? 0
      }
    }
  }
  return pieces
}

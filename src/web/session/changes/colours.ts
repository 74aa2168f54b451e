/** The colours of a diff: those of the file before and after it, each read as one text, so that comments of many lines hold. */
import { createContext, useMemo } from 'react'
import { type ColouredLines, useColours } from '../../parts/code.tsx'
import { languageOfPath } from '../../parts/language.ts'
import type { Line, Row } from './lines.ts'

type LineColours = ReadonlyMap<Line, ColouredLines[number]>

export const Colours = createContext<LineColours | undefined>(undefined)

export function useDiffColours(rows: readonly Row[], path: string): LineColours | undefined {
  const { before, after } = useMemo(() => {
    const lines = rows.flatMap((row) => (row.kind === 'fold' ? row.lines : row.kind === 'gap' ? [] : [row]))
    return {
      before: lines.filter(({ kind }) => kind === 'del'),
      after: lines.filter(({ kind }) => kind !== 'del'),
    }
  }, [rows])
  const language = languageOfPath(path)
  const [old, now] = [useColours(textOf(before), language), useColours(textOf(after), language)]
  return useMemo(() => {
    if (!old || !now) return undefined
    const pair = (lines: readonly Line[], colours: ColouredLines) =>
      lines.map((line, n) => [line, colours[n] ?? []] as const)
    return new Map([...pair(before, old), ...pair(after, now)])
  }, [old, now, before, after])
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('\n')
}

/** @jsxImportSource @opentui/react */
/** Lines on the screen. An unchanged line is not redrawn, so an idle screen costs nothing. */
import { memo } from 'react'
import { type Line, signature } from './model/line.ts'
import type { Palette } from './palette.ts'

interface OneLine {
  readonly line: Line
  readonly palette: Palette
  readonly width: number
}

const ScreenLine = memo(
  ({ line, palette, width }: OneLine) => (
    <text content={palette.styled(line, width)} wrapMode="none" height={1} selectable={false} />
  ),
  (before, after) =>
    before.palette === after.palette &&
    before.width === after.width &&
    (before.line === after.line || signature(before.line) === signature(after.line)),
)

interface Shown {
  readonly lines: readonly Line[]
  readonly palette: Palette
  readonly width: number
}

export function ScreenLines({ lines, palette, width }: Shown) {
  return (
    <>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line's place on the screen is what it is
        <ScreenLine key={i} line={line} palette={palette} width={width} />
      ))}
    </>
  )
}

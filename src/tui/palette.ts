/**
 * How tones look. Uses the terminal's sixteen colours, so that it fits light and dark themes. Without colours, marks
 * and bold text carry the same meaning.
 */
import { RGBA, StyledText, TextAttributes } from '@opentui/core'
import { LOOKS } from '../client/index.ts'
import { type Line, type Span, spansWidth, type Tone } from './model/line.ts'

/** Indexes in the terminal's palette. */
const COLOURS: Readonly<Partial<Record<Tone, number>>> = {
  need: 3,
  error: 1,
  work: 2,
  busy: 5,
  done: 6,
  accent: 4,
}

/** A shade next to the background, from the part of the palette that is the same everywhere. */
const MARKED = { dark: 236, light: 254 } as const

/** The signs that blink if enabled. */
const NEEDS: ReadonlySet<string> = new Set([LOOKS.asks.mark, LOOKS.failed.mark])

export interface Palette {
  /** A line for the renderer, padded to the width: the renderer would colour an unfilled rest. */
  styled(line: Line, width: number): StyledText
}

export function paletteFor(
  env: Record<string, string | undefined>,
  theme: 'dark' | 'light' | null,
  mayBlink = false,
): Palette {
  const hasColours = !env.NO_COLOR && env.TERM !== 'dumb'
  const isAsked = env.GANTRY_BLINK ? env.GANTRY_BLINK === '1' : mayBlink
  const blinks = hasColours && isAsked && !env.REDUCED_MOTION
  const foreground = RGBA.defaultForeground()
  const colours = new Map<Tone, RGBA>()
  for (const [tone, index] of Object.entries(COLOURS)) colours.set(tone as Tone, RGBA.fromIndex(index))
  const background = hasColours && theme ? RGBA.fromIndex(MARKED[theme]) : undefined
  const chunk = ({ text, tone, bold }: Span, marked: boolean) => ({
    __isChunk: true as const,
    text,
    fg: (hasColours && colours.get(tone)) || foreground,
    ...(marked && background ? { bg: background } : {}),
    attributes:
      (bold || marked ? TextAttributes.BOLD : 0) |
      (tone === 'quiet' && !marked ? TextAttributes.DIM : 0) |
      (blinks && NEEDS.has(text.trim()) ? TextAttributes.BLINK : 0),
  })
  return {
    styled: ({ spans, marked = false, rest = [] }, width) => {
      const used = spansWidth(spans) + spansWidth(rest)
      const fill = { text: ' '.repeat(Math.max(0, width - used)), tone: 'plain' as const }
      return new StyledText([
        ...spans.map((one) => chunk(one, marked)),
        ...[...rest, ...(fill.text === '' ? [] : [fill])].map((one) => chunk(one, false)),
      ])
    },
  }
}

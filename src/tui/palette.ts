/**
 * How tones look. The terminal's own sixteen colours, so that a light theme stays light and a dark one dark; without
 * colours the marks and the weight of letters say the same.
 */
import { RGBA, StyledText, TextAttributes } from '@opentui/core'
import { LOOKS } from '../client/index.ts'
import { type Line, type Span, spansWidth, type Tone } from './model/line.ts'

/** Places in the terminal's palette. */
const COLOURS: Readonly<Partial<Record<Tone, number>>> = {
  need: 3,
  error: 1,
  work: 2,
  busy: 5,
  done: 6,
  accent: 4,
}

/** A shade beside the background, from the part of the palette that is the same everywhere. */
const MARKED = { dark: 236, light: 254 } as const

/** The signs that may blink, where somebody asks for it. */
const NEEDS: ReadonlySet<string> = new Set([LOOKS.asks.mark, LOOKS.failed.mark])

export interface Palette {
  /** A line as the renderer takes it, filled to the width: what is left empty has a colour of the renderer's. */
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

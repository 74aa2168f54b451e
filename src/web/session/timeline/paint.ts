/** Draws lanes on a canvas. Colours are the page's own; what means something is told by shape, too. */
import type { Lane, Span, SpanTone } from '../../../timeline/lanes.ts'
import { type Block, blockAt, blocksOf, rowsOf } from './blocks.ts'
import { laneName } from './labels.ts'
import { lengthOf, localOffset, type Range, ticksOf } from './range.ts'

interface Row {
  readonly lane: Lane
  readonly spans: readonly Span[]
  readonly y: number
  readonly height: number
}

export interface Layout {
  readonly rows: readonly Row[]
  readonly names: readonly { readonly name: string; readonly y: number }[]
  /** Of the names at the left. */
  readonly gutter: number
  readonly width: number
  readonly height: number
}

const AXIS_PX = 24
const LABEL_GAP_PX = 6
const ROW_PX = 16
const GAP_PX = 4
const LANE_GAP_PX = 14
const LANE_MOST_PX = 92 // of many calls at the same time the rows get lower
const MAX_LANES = 60 // of sub-agents; the table has all

export function layoutOf(lanes: readonly Lane[], width: number): Layout {
  const rows: Row[] = []
  const names: { name: string; y: number }[] = []
  let y = AXIS_PX + 8
  for (const lane of lanes.slice(0, MAX_LANES)) {
    const split = rowsOf(lane)
    const height = Math.max(4, Math.min(ROW_PX, LANE_MOST_PX / split.length - 2))
    const gap = height < 10 ? 2 : GAP_PX
    names.push({ name: laneName(lane), y: y + ROW_PX / 2 })
    split.forEach((spans, n) => {
      rows.push({ lane, spans, y: y + n * (height + gap), height })
    })
    y += Math.max(ROW_PX, split.length * (height + gap) - gap) + LANE_GAP_PX
  }
  return { rows, names, gutter: width < 560 ? 84 : 116, width, height: Math.max(y - 4, 90) }
}

interface Colours {
  readonly text: string
  readonly quiet: string
  readonly line: string
  readonly surface: string
  readonly need: string
  readonly work: string
  readonly error: string
  readonly busy: string
  readonly accent: string
}

/** As the style sheet has them now, light or dark. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    ...{ text: of('text'), quiet: of('quiet'), line: of('line'), surface: of('surface') },
    ...{ need: of('need-fill'), work: of('work-fill'), error: of('error'), busy: of('busy') },
    accent: of('accent'),
  }
}

interface Picture {
  readonly layout: Layout
  readonly range: Range
  readonly selected: Span | undefined
  readonly hovered: Span | undefined
  readonly colours: Colours
  readonly font: string
}

/** Returns the blocks of each row, for the pointer. */
export function paint(context: CanvasRenderingContext2D, picture: Picture): readonly (readonly Block[])[] {
  const { layout, colours } = picture
  context.clearRect(0, 0, layout.width, layout.height)
  paintAxis(context, picture)
  context.save()
  context.beginPath()
  context.rect(layout.gutter, 0, layout.width - layout.gutter, layout.height)
  context.clip()
  const drawn = layout.rows.map((row) => {
    const blocks = blocksOf(row.spans, picture.range, layout.width - layout.gutter)
    for (const block of blocks) paintBlock(context, block, row, picture)
    for (const block of blocks) paintFrame(context, block, row, picture)
    return blocks
  })
  context.restore()
  context.font = `11px ${picture.font}`
  context.textBaseline = 'middle'
  context.fillStyle = colours.quiet
  for (const { name, y } of layout.names)
    context.fillText(fitted(context, name, layout.gutter - 16), 10, y + 0.5)
  return drawn
}

export function spanAt(
  drawn: readonly (readonly Block[])[],
  { rows, gutter }: Layout,
  x: number,
  y: number,
): Block | undefined {
  const at = rows.findIndex((row) => y >= row.y - 3 && y <= row.y + row.height + 3)
  return at < 0 || x < gutter - 3 ? undefined : blockAt(drawn[at] ?? [], x - gutter)
}

export function timeAt({ gutter, width }: Layout, range: Range, x: number): number {
  const share = (x - gutter) / Math.max(1, width - gutter)
  return range.from + Math.min(1, Math.max(0, share)) * lengthOf(range)
}

function paintAxis(context: CanvasRenderingContext2D, { layout, range, colours, font }: Picture): void {
  const { gutter, width, height } = layout
  context.strokeStyle = colours.line
  context.fillStyle = colours.quiet
  context.lineWidth = 1
  context.font = `11px ${font}`
  context.textBaseline = 'middle'
  context.beginPath()
  let end = 0 // of the last label
  for (const { at, label } of ticksOf(range, width - gutter, localOffset(range.from))) {
    const x = Math.round(gutter + ((at - range.from) / lengthOf(range)) * (width - gutter)) + 0.5
    context.moveTo(x, AXIS_PX - 4)
    context.lineTo(x, height)
    const wide = context.measureText(label).width
    const start = Math.min(x + 3, width - wide - 4)
    if (start < end + LABEL_GAP_PX) continue // the last one, which the edge pushes to the left
    context.fillText(label, start, AXIS_PX / 2 + 1)
    end = start + wide
  }
  context.stroke()
}

function paintBlock(context: CanvasRenderingContext2D, block: Block, row: Row, picture: Picture): void {
  const { colours, layout } = picture
  const x = layout.gutter + block.x
  const { y, height } = row
  const { width, tone } = block
  const colour = colourOf(tone, colours)
  context.fillStyle = colour
  if (tone === 'need') paintHatched(context, colour, x, y, width, height)
  else if (row.lane.kind === 'denials') paintCross(context, colour, x, y, height)
  else {
    context.globalAlpha =
      row.lane.kind === 'turns'
        ? tone === 'error'
          ? 0.55
          : 0.28
        : row.lane.kind === 'agent' && tone === 'busy'
          ? 0.55
          : 1
    context.beginPath()
    // Neighbours are told apart by a gap.
    context.roundRect(
      x,
      y,
      width > 4 && block.count === 1 ? width - 1 : width,
      height,
      block.count > 1 ? 0 : Math.min(3, width / 2),
    )
    context.fill()
    context.globalAlpha = 1
    // A failure is marked, not only coloured.
    if (tone === 'error') paintNotch(context, colours.surface, x, y, width, height)
    if (block.open) paintOpenEnd(context, colours.surface, x + width, y, height)
  }
  paintText(context, block, row, x, picture)
}

/** Over its neighbours. */
function paintFrame(
  context: CanvasRenderingContext2D,
  { x, width, span }: Block,
  { y, height }: Row,
  { selected, hovered, colours, layout }: Picture,
): void {
  const isSelected = selected !== undefined && isSame(selected, span)
  if (!isSelected && !(hovered && isSame(hovered, span))) return
  context.strokeStyle = isSelected ? colours.accent : colours.text
  context.lineWidth = isSelected ? 2 : 1
  context.strokeRect(layout.gutter + x - 1.5, y - 1.5, Math.max(width, 4) + 3, height + 3)
}

function colourOf(tone: SpanTone, colours: Colours): string {
  switch (tone) {
    case 'work':
      return colours.accent
    case 'tool':
      return colours.work
    case 'need':
      return colours.need
    case 'error':
      return colours.error
    case 'busy':
      return colours.busy
    case 'quiet':
      return colours.quiet
  }
}

/** A wait for a person never looks like work. */
function paintHatched(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  context.strokeStyle = colour
  context.lineWidth = 2
  context.beginPath()
  // By the place on the canvas, so that the pattern stands still while the end of an open wait moves.
  const start = x - ((x % 7) + height)
  for (let left = start; left < x + width; left += 7) {
    context.moveTo(left, y + height)
    context.lineTo(left + height, y)
  }
  context.stroke()
  context.restore()
  context.strokeStyle = colour
  context.lineWidth = 1.5
  context.strokeRect(x + 0.75, y + 0.75, Math.max(0.5, width - 1.5), height - 1.5)
}

function paintCross(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  height: number,
): void {
  const arm = Math.min(5, height / 2 - 1)
  const middle = y + height / 2
  context.strokeStyle = colour
  context.lineWidth = 2
  context.beginPath()
  context.moveTo(x - arm + 1, middle - arm)
  context.lineTo(x + arm + 1, middle + arm)
  context.moveTo(x - arm + 1, middle + arm)
  context.lineTo(x + arm + 1, middle - arm)
  context.stroke()
}

function paintNotch(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  if (width < 10 || height < 8) return
  context.strokeStyle = colour
  context.lineWidth = 1.5
  context.beginPath()
  const [left, top, size] = [x + Math.min(width / 2, 8) - 3, y + height / 2 - 3, 6]
  context.moveTo(left, top)
  context.lineTo(left + size, top + size)
  context.moveTo(left, top + size)
  context.lineTo(left + size, top)
  context.stroke()
}

/** It has not ended: its right edge is ragged. */
function paintOpenEnd(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  height: number,
): void {
  context.fillStyle = colour
  context.beginPath()
  context.moveTo(x + 1, y)
  context.lineTo(x - 4, y + height / 4)
  context.lineTo(x + 1, y + height / 2)
  context.lineTo(x - 4, y + (3 * height) / 4)
  context.lineTo(x + 1, y + height)
  context.fill()
}

function paintText(
  context: CanvasRenderingContext2D,
  block: Block,
  row: Row,
  x: number,
  picture: Picture,
): void {
  const { colours, font } = picture
  const room = block.width - (block.tone === 'error' ? 22 : 12)
  if (room < 24 || row.height < 12 || block.tone === 'need' || block.count > 1) return
  const { kind } = row.lane
  const { label, text } = block.span
  context.font = `11px ${font}`
  context.textBaseline = 'middle'
  context.fillStyle =
    kind === 'turns'
      ? colours.text
      : kind === 'agent' && row.y >= 0 && block.tone === 'busy'
        ? colours.text
        : colours.surface
  const words = kind === 'turns' || block.tone === 'busy' ? text || label : label
  context.fillText(
    fitted(context, words, room),
    x + (block.tone === 'error' ? 16 : 6),
    row.y + row.height / 2 + 0.5,
  )
}

function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  const most = Math.floor(room / 4) // no letter is narrower, so that long texts are not measured whole
  const short = text.length > most ? text.slice(0, most) : text
  if (context.measureText(short).width <= room) return short === text ? text : `${short.slice(0, -1)}…`
  let [low, high] = [0, short.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (context.measureText(`${short.slice(0, middle)}…`).width <= room) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${short.slice(0, low)}…`
}

/** Lanes are made anew while a session works, spans with them. */
export function isSame(a: Span, b: Span): boolean {
  return a.seq === b.seq && a.label === b.label && a.row === b.row && a.from === b.from && a.tone === b.tone
}

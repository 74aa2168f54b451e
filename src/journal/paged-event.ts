/** An event as a page of the journal shows it: without its payload, long texts cut, so that any page is small. */
import type { PagedEvent } from '../rpc/index.ts'
import type { JournalRow, RowGlance } from '../store/index.ts'
import { parseRow } from './parse-event.ts'

const TEXT_CHARS = 1_000
const MAX_ITEMS = 30 // of a list or a record
const MAX_DEPTH = 5
const EVENT_CHARS = 8_000 // of all texts of an event

export function pagedEvent(row: JournalRow, bytes: number): PagedEvent {
  const { raw: _, client, unknown: __, ...event } = parseRow(row)
  const room = { left: EVENT_CHARS, isCut: false }
  const short = shortened(event, room, 0) as Omit<PagedEvent, 'bytes' | 'client'>
  const { env: ___, ...place } = client
  return { ...short, client: { ...place, env: {} }, bytes, ...(room.isCut ? { shortened: true } : {}) }
}

/** Of a payload that is too large to be read for a list: only what its columns tell. */
export function glancedEvent(glance: RowGlance, bytes: number): PagedEvent {
  const { agentId, tool, cwd, ...rest } = glance
  return {
    ...rest,
    ...(agentId === null ? {} : { agentId }),
    ...(tool === null ? {} : { tool: { name: tool, input: null } }),
    ...(cwd === null ? {} : { cwd }),
    client: { env: {} },
    bytes,
    shortened: true,
  }
}

interface Room {
  left: number
  isCut: boolean
}

function shortened(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return shortText(value, room)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH || room.left <= 0) {
    room.isCut = true
    return Array.isArray(value) ? [] : {}
  }
  if (Array.isArray(value)) return few(value, room).map((one) => shortened(one, room, depth + 1))
  const members = few(Object.entries(value), room)
  return Object.fromEntries(
    members.map(([name, one]) => [shortText(name, room), shortened(one, room, depth + 1)]),
  )
}

function few<T>(items: readonly T[], room: Room): readonly T[] {
  if (items.length <= MAX_ITEMS + 1) return items
  room.isCut = true
  return items.slice(0, MAX_ITEMS)
}

function shortText(text: string, room: Room): string {
  const most = Math.max(0, Math.min(TEXT_CHARS, room.left))
  room.left -= Math.min(text.length, most)
  if (text.length <= most) return text
  room.isCut = true
  return `${text.slice(0, most)}…`
}

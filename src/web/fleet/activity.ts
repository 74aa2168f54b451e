/**
 * The last half hour of every session. The daemon tells it once in a while; in between each change of state that the page
 * sees itself is added. Without that call there are no strips.
 */
import { useEffect } from 'react'
import type { ActivitySegment } from '../../client/index.ts'
import { activityIn, lookOf, STRIP_WORDS } from '../../sessions/state/look.ts'
import { call } from '../live/call.ts'
import { shared } from '../live/shared.ts'
import { live } from '../live/store.ts'
import { STRIP_MS } from '../parts/strip.tsx'

const READ_MS = 60_000
const NOTE_MS = 1_000 // strips follow changes at this pace, however many there are
const DRAW_MS = 10_000 // a pixel of the strip is about that long

export interface Activity {
  readonly now: number
  readonly segments: ReadonlyMap<string, readonly ActivitySegment[]>
}

const activity = shared<Activity | undefined>(undefined)

/** Undefined until the daemon has told it. */
export function useActivity(): Activity | undefined {
  useEffect(() => start(), [])
  return activity.use()
}

function start(): () => void {
  void read()
  const reading = setInterval(() => void read(), READ_MS)
  const drawing = setInterval(draw, DRAW_MS)
  const stop = live.subscribe(noteSoon)
  return () => {
    clearInterval(reading)
    clearInterval(drawing)
    stop()
  }
}

async function read(): Promise<void> {
  if (document.visibilityState === 'hidden' && activity.get()) return
  const since = Date.now() - STRIP_MS
  const found = await call('sessions.activity', { since }).catch(() => undefined)
  if (found) change(new Map(found.map(({ key, segments }) => [key, segments])))
}

let noting: ReturnType<typeof setTimeout> | undefined

function noteSoon(): void {
  if (noting !== undefined) return
  noting = setTimeout(() => {
    noting = undefined
    note()
  }, NOTE_MS)
}

/** What changed its state since begins a new segment. */
function note(): void {
  const state = activity.get()
  if (!state) return
  let next: Map<string, readonly ActivitySegment[]> | undefined
  const now = Date.now()
  for (const session of live.get().sessions.values()) {
    const known = state.segments.get(session.key)
    const last = known?.at(-1)
    const { status: look, since } = lookOf(session)
    const status = activityIn(look)
    if (last?.status === status) continue
    if (!last && STRIP_WORDS[status] === null) continue
    next ??= new Map(state.segments)
    const from = Math.max(last?.from ?? 0, Math.min(since, now))
    const before = last
      ? [...(known ?? []).slice(0, -1), { ...last, to: Math.min(now, Math.max(last.from, from)) }]
      : []
    next.set(session.key, [...before, { from: last ? Math.max(from, last.from) : from, to: now, status }])
  }
  if (next) change(next)
}

/** The present moves on: what still lasts grows. */
function draw(): void {
  const state = activity.get()
  if (!state || document.visibilityState === 'hidden') return
  const { sessions } = live.get()
  const now = Date.now()
  const grown = [...state.segments].map(([key, segments]) => {
    const last = segments.at(-1)
    const session = sessions.get(key)
    if (!last || !session || session.phase === 'ended') return [key, segments] as const
    return [key, [...segments.slice(0, -1), { ...last, to: now }]] as const
  })
  change(new Map(grown))
}

function change(segments: ReadonlyMap<string, readonly ActivitySegment[]>): void {
  activity.set({ now: Date.now(), segments })
}

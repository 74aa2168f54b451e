/** @jsxImportSource @opentui/react */
/** The live screen of a bus stream; model/bus-frame.ts defines its layout. */
import type { MouseEvent } from '@opentui/core'
import { useTerminalDimensions } from '@opentui/react'
import { useRef, useSyncExternalStore } from 'react'
import { type BusRequest, followBus, type WireMessage } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'
import { ScreenLines } from './lines.tsx'
import { Live } from './live.ts'
import { type BusFrame, busFrame } from './model/bus-frame.ts'
import { type BusState, cursorOf, firstBusState, passing, pressBus, withMessages } from './model/bus-state.ts'
import { type Palette, paletteFor } from './palette.ts'
import { openScreen } from './screen.tsx'

const TICK_MS = 1_000
const BATCH_MS = 50
const MAX_WAITING = 5_000 // between two frames; nobody would see older ones

interface Look {
  readonly state: BusState
  readonly now: number
  readonly palette: Palette
}

/** Resolves when the person leaves. Throws if the daemon rejects the request. */
export async function openBus(places: Places, request: BusRequest): Promise<void> {
  const left = Promise.withResolvers<void>()
  const ending = new AbortController()
  const state = firstBusState(request.stream ?? 'HOOK_EVENTS', request.filter)
  const live = new Live<Look>({ state, now: Date.now(), palette: paletteFor(process.env, null) })
  const change = (by: (state: BusState) => BusState) =>
    live.set((look) => ({ ...look, state: by(look.state) }))
  let shown: BusFrame | undefined
  const screen = await openScreen((key) => {
    const next = pressBus(live.get().state, key, Math.max(1, (shown?.listHeight ?? 10) - 2))
    if (next === 'quit') left.resolve()
    else change(() => next)
  })
  screen.renderer.on('theme_mode', (mode: 'dark' | 'light') =>
    live.set((look) => ({ ...look, palette: paletteFor(process.env, mode) })),
  )
  let waiting: WireMessage[] = []
  const flush = setInterval(() => {
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    live.set((look) => {
      const now = Date.now()
      return { ...look, now, state: withMessages(look.state, batch, now) }
    })
  }, BATCH_MS)
  const tick = setInterval(() => live.set((look) => ({ ...look, now: Date.now() })), TICK_MS)
  screen.show(<Bus live={live} onFrame={(frame) => (shown = frame)} onChange={change} />)
  const told = (state: 'here' | 'away') =>
    change((was) => ({ ...was, link: state === 'here' ? 'live' : 'away' }))
  const read = async () => {
    for await (const { message } of followBus(places, request, { wait: true, signal: ending.signal, told })) {
      waiting.push(message)
      if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING / 2)
    }
  }
  try {
    await Promise.race([left.promise, read()])
  } finally {
    clearInterval(flush)
    clearInterval(tick)
    ending.abort()
    live.close()
    await screen.close()
  }
}

interface BusProps {
  readonly live: Live<Look>
  onFrame(frame: BusFrame): void
  onChange(by: (state: BusState) => BusState): void
}

function Bus({ live, onFrame, onChange }: BusProps) {
  const { state, now, palette } = useSyncExternalStore(live.subscribe, live.get)
  const size = useTerminalDimensions()
  const top = useRef(0)
  const frame = busFrame(state, size, top.current, now)
  top.current = frame.top
  onFrame(frame)
  const onMouse = (event: MouseEvent) => {
    const row = event.y - frame.listTop
    if (row < 0 || row >= frame.listHeight) return
    onChange((was) => {
      const list = passing(was)
      const one = list[frame.top + row]
      if (!one) return was
      const again = cursorOf(was, list) === frame.top + row
      return { ...was, selected: one.seq, detailTop: 0, detailOpen: again ? !was.detailOpen : was.detailOpen }
    })
  }
  const onScroll = (event: MouseEvent) =>
    onChange((was) => {
      const next = pressBus(was, { kind: 'key', name: event.scroll?.direction === 'up' ? 'up' : 'down' }, 1)
      return next === 'quit' ? was : next
    })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a box of the terminal, not of a page
    <box width="100%" height="100%" flexDirection="column" onMouseDown={onMouse} onMouseScroll={onScroll}>
      <ScreenLines lines={frame.lines} palette={palette} width={size.width} />
    </box>
  )
}

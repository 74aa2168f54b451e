/** @jsxImportSource @opentui/react */
/** The live screen of a bus stream; model/bus-frame.ts defines its layout. */
import type { MouseEvent } from '@opentui/core'
import { useTerminalDimensions } from '@opentui/react'
import { useRef, useSyncExternalStore } from 'react'
import { type BusRequest, followBus, type WireMessage } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'
import { ScreenLines } from './lines.tsx'
import { LiveLook } from './look.ts'
import { type BusFrame, busFrame } from './model/bus-frame.ts'
import { type BusState, cursorOf, firstBusState, passing, pressBus, withMessages } from './model/bus-state.ts'
import { openScreen } from './screen.tsx'

const BATCH_MS = 50
const MAX_WAITING = 5_000 // between two frames; nobody would see older ones

/** Resolves when the person leaves. Throws if the daemon rejects the request. */
export async function showBus(places: Places, request: BusRequest): Promise<void> {
  const left = Promise.withResolvers<void>()
  const ending = new AbortController()
  const state = firstBusState(request.stream ?? 'HOOK_EVENTS', request.filter)
  const live = new LiveLook(state)
  let shown: BusFrame | undefined
  const screen = await openScreen((key) => {
    const next = pressBus(live.get().state, key, Math.max(1, (shown?.listHeight ?? 10) - 2))
    if (next === 'quit') left.resolve()
    else live.change(() => next)
  })
  live.open(screen)
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
  screen.show(<Bus live={live} onFrame={(frame) => (shown = frame)} onChange={live.change} />)
  const told = (state: 'here' | 'away') =>
    live.change((was) => ({ ...was, link: state === 'here' ? 'live' : 'away' }))
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
    ending.abort()
    live.close()
    await screen.close()
  }
}

interface BusProps {
  readonly live: LiveLook<BusState>
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

/** @jsxImportSource @opentui/react */
/** The dashboard of all sessions: connects state, lines, keys and the daemon's feed. model/ defines its layout. */
import type { MouseEvent } from '@opentui/core'
import { useTerminalDimensions } from '@opentui/react'
import { useRef, useSyncExternalStore } from 'react'
import type { SessionChange, SessionFeed } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'
import { clean } from '../core/text/text.ts'
import { Alarm } from '../core/time/alarm.ts'
import { paneOf } from '../core/tmux.ts'
import { actOn } from '../tmux/act.ts'
import { gone, screenOf } from '../tmux/pane.ts'
import * as actions from './actions.ts'
import { followHosts, followSession, isBlinkWanted } from './feed.ts'
import { ScreenLines } from './lines.tsx'
import { FRAME_MS } from './live.ts'
import { LiveLook } from './look.ts'
import { withApproval } from './model/approval.ts'
import { held, type Seen, seenAfter, selectedSession } from './model/cursor.ts'
import {
  FIRST_STATE,
  type FleetState,
  hostOf,
  withAge,
  withChanges,
  withHosts,
  withNotice,
} from './model/fleet-state.ts'
import { type Frame, fleetFrame } from './model/frame.ts'
import { type Action, click, type Key, type Outcome, press } from './model/keys.ts'
import { openScreen, type Screen } from './screen.tsx'

const FIRST_LIMIT_MS = 60 // an empty screen is better than none
const SETTLE_MS = 80 // debounce: a cursor that runs through the list requests nothing on its way
const SHOT_MS = 700

/** Resolves when the person leaves. */
export async function showFleet(places: Places, sessions: SessionFeed): Promise<void> {
  const left = Promise.withResolvers<void>()
  const ending = new AbortController()
  const live = new LiveLook(FIRST_STATE)
  const { change, news } = live

  let shown: Frame | undefined
  let seen: Seen | undefined
  const onFrame = (frame: Frame) => {
    shown = frame
    seen = seenAfter(seen, frame.selected, Date.now())
  }
  const act = (outcome: (state: FleetState, now: number) => Outcome) => {
    const now = Date.now()
    const { state, action } = outcome(held(live.get().state, seen, now), now)
    live.set((look) => ({ ...look, state, now }))
    if (action) void perform(action)
    lookAt()
  }
  const [screen] = await Promise.all([
    openScreen((key: Key) =>
      act((state, now) => press(state, key, Math.max(1, (shown?.treeHeight ?? 10) - 2), now)),
    ),
    sessions.first(FIRST_LIMIT_MS),
  ])
  live.open(screen, withAge)
  void isBlinkWanted(places, ending.signal).then((isWanted) => {
    if (isWanted && !ending.signal.aborted) live.blink(screen)
  })

  const say = ({ ok, says }: { ok: boolean; says: string }) =>
    says !== '' && change((state) => withNotice(state, says, Date.now(), ok ? 'done' : 'need'))

  async function perform(action: Action): Promise<void> {
    if (action.do === 'quit') return left.resolve()
    if (action.do === 'start-daemon') return start()
    const host = hostOf(action.key)
    if (host !== undefined)
      return void say({ ok: false, says: `That session is on ${clean(host)}: use gantry there` })
    const session = live.get().state.sessions.get(action.key)
    if (!session) return
    switch (action.do) {
      case 'jump':
        say(await actions.jump(places, session, (argv) => attach(screen, argv)))
        break
      case 'raise-budget':
        say(await actions.raiseBudgets(places, session))
        break
      case 'send':
        say(await actOn(session, 'send', action.text))
        break
      case 'interrupt':
        say(await actOn(session, 'interrupt'))
        break
      case 'kill':
        say(await actOn(session, 'end'))
        break
      case 'show-approval': {
        const found = await actions.lookAt(places, action.id)
        if ('ok' in found) say(found)
        else change((state) => withApproval(state, action.key, found, Date.now()))
        break
      }
      case 'approve':
        say(await actions.approve(places, action))
        break
      case 'deny':
        say(await actions.deny(places, action.id, action.text))
        break
    }
  }

  async function start(): Promise<void> {
    const away = (starting: boolean) =>
      change((state) =>
        state.link.state === 'away' ? { ...state, link: { ...state.link, starting } } : state,
      )
    away(true)
    say(await actions.startDaemon(places))
    away(false)
  }

  void followHosts(places, (fleet) => news((state) => withHosts(state, fleet)), ending.signal)
  const lookAt = watchSelected(places, live, ending.signal)
  const gather = batches((batch) => {
    change((state) => withChanges(state, batch))
    lookAt()
  }, ending.signal)
  sessions.take({
    changed: (one) => gather(one, live.get().state.link.state === 'live'),
    away: (why) =>
      news((state) => ({
        ...state,
        link: { state: 'away', why, starting: state.link.state === 'away' && state.link.starting },
      })),
  })
  screen.show(<Fleet live={live} onFrame={onFrame} onAct={act} />)
  await left.promise
  ending.abort()
  sessions.close()
  live.close()
  await screen.close()
}

async function attach(screen: Screen, argv: readonly string[]): Promise<void> {
  await screen.lend(async () => {
    const child = Bun.spawn([...argv], { stdio: ['inherit', 'inherit', 'inherit'] })
    await child.exited
  })
}

/** Batches the changes of one frame, so that the tree is built once for all of them. The first is shown at once. */
function batches(
  show: (batch: readonly SessionChange[]) => void,
  signal: AbortSignal,
): (one: SessionChange, mayWait: boolean) => void {
  let waiting: SessionChange[] = []
  const flush = () => {
    next.clear()
    const batch = waiting
    waiting = []
    if (!signal.aborted) show(batch)
  }
  const next = new Alarm(flush)
  return (one, mayWait) => {
    waiting.push(one)
    if (!mayWait) flush()
    else next.within(FRAME_MS)
  }
}

/** Follows the events of the selected session, and its pane's screen while that is shown. */
function watchSelected(places: Places, live: LiveLook<FleetState>, signal: AbortSignal): () => void {
  let key: string | undefined
  let following: AbortController | undefined
  let settling: ReturnType<typeof setTimeout> | undefined
  const shots = setInterval(() => void shoot(), SHOT_MS)
  signal.addEventListener('abort', () => {
    clearInterval(shots)
    clearTimeout(settling)
    following?.abort()
  })
  let isShooting = false
  async function shoot(): Promise<void> {
    const { state } = live.get()
    const session = selectedSession(state)
    const pane = session && paneOf(session)
    if (state.tab !== 'screen' || !session || !pane || isShooting) return
    isShooting = true
    const lines = await screenOf(pane)
    isShooting = false
    const shot = lines ? { key: session.key, lines } : { key: session.key, lines: [], problem: gone(pane) }
    live.news((now) => ({ ...now, screen: shot }))
  }
  return () => {
    const { state } = live.get()
    const session = selectedSession(state)
    if (state.tab === 'screen' && state.screen?.key !== session?.key) void shoot()
    if (session?.key === key) return
    key = session?.key
    following?.abort()
    clearTimeout(settling)
    if (!session) return
    const mine = new AbortController()
    following = mine
    settling = setTimeout(() => {
      const show = (entries: NonNullable<FleetState['timeline']>['entries']) =>
        live.news((now) => ({ ...now, timeline: { key: session.key, entries } }))
      void followSession(places, session, show, mine.signal)
    }, SETTLE_MS)
  }
}

interface FleetProps {
  readonly live: LiveLook<FleetState>
  onFrame(frame: Frame): void
  onAct(outcome: (state: FleetState, now: number) => Outcome): void
}

function Fleet({ live, onFrame, onAct }: FleetProps) {
  const { state, now, palette } = useSyncExternalStore(live.subscribe, live.get)
  const size = useTerminalDimensions()
  const top = useRef(0)
  const frame = fleetFrame(state, size, top.current, now)
  top.current = frame.top
  onFrame(frame)
  const onMouse = (event: MouseEvent) => {
    const inTree =
      event.y >= frame.treeTop && event.y < frame.treeTop + frame.treeHeight && event.x < frame.treeWidth
    if (event.type === 'down' && inTree)
      onAct((was, at) => click(was, frame.top + event.y - frame.treeTop, at))
  }
  const onScroll = (event: MouseEvent) => {
    const name = event.scroll?.direction === 'up' ? 'up' : 'down'
    onAct((was, at) => press(was, { kind: 'key', name }, 1, at))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a box of the terminal, not of a page
    <box width="100%" height="100%" flexDirection="column" onMouseDown={onMouse} onMouseScroll={onScroll}>
      <ScreenLines lines={frame.lines} palette={palette} width={size.width} />
    </box>
  )
}

/**
 * The one WebSocket of the page. It is opened again after every loss: with a growing pause, at once when the network or the
 * page comes back. Each opening begins with a snapshot, so nothing is asked for twice and nothing is missed.
 */
import type { EventQuery, SessionView, WireEvent } from '../../client/index.ts'
import { backoff } from '../../core/time/waits.ts'
import { isSignedIn } from './call.ts'
import { type Hello, live, type OtherHost } from './store.ts'

const FIRST_MS = 300
const LONGEST_MS = 2_000
const OPENING_MS = 5_000 // a connection that says nothing for so long is none
const SLEPT_MS = 20_000 // hidden for longer: the socket may be dead without knowing it

type Message =
  | { readonly hello: Hello }
  | { readonly snapshot: { readonly seq: number; readonly sessions: readonly SessionView[] } }
  | { readonly seq: number; readonly session: SessionView }
  | { readonly hosts: readonly OtherHost[]; readonly problem?: string }
  | { readonly refused: string }
  | { readonly events: readonly WireEvent[]; readonly last: number }

interface Tail {
  readonly after: number
  readonly query: EventQuery
  readonly got: (events: readonly WireEvent[], last: number) => void
}

let socket: WebSocket | undefined
let losses = 0 // since it was last live
let timer: ReturnType<typeof setTimeout> | undefined
let tail: Tail | undefined
let tailAfter = 0 // goes on from there with the next connection
let hiddenAt = 0

export function connect(): void {
  addEventListener('online', () => retry())
  addEventListener('pagehide', () => socket?.close())
  window.addEventListener('pageshow', ({ persisted }) => persisted && retry())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hiddenAt = performance.now()
    else {
      if (live.get().link.state !== 'live') retry()
      else if (performance.now() - hiddenAt > SLEPT_MS) void isSignedIn().then((answer) => answer || retry())
      live.shown()
    }
  })
  open()
}

/** Tries again without waiting. */
export function retry(): void {
  losses = 0
  open()
}

/** Events as they are stored, from `after` on, until the returned function is called. One reader at a time. */
export function follow(wanted: Tail): () => void {
  tail = wanted
  tailAfter = wanted.after
  sayTail()
  return () => {
    if (tail !== wanted) return
    tail = undefined
    say({ tail: null })
  }
}

function open(): void {
  clearTimeout(timer)
  if (socket) {
    socket.onclose = null
    socket.close()
  }
  const opened = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/live`)
  socket = opened
  timer = setTimeout(() => opened.close(), OPENING_MS)
  opened.onmessage = ({ data }) => {
    if (typeof data === 'string') take(JSON.parse(data) as Message)
  }
  opened.onclose = () => void lost()
}

function take(message: Message): void {
  if ('session' in message) live.session(message.session)
  else if ('snapshot' in message) {
    clearTimeout(timer)
    losses = 0
    live.snapshot(message.snapshot.sessions)
    live.set({ link: { state: 'live' } })
    sayTail()
  } else if ('events' in message) {
    tailAfter = message.last
    tail?.got(message.events, message.last)
  } else if ('hosts' in message) live.set({ hosts: message.hosts, fleetProblem: message.problem })
  else if ('hello' in message) live.set({ hello: message.hello })
  else console.warn(`gantry: ${message.refused}`)
}

async function lost(): Promise<void> {
  clearTimeout(timer)
  const before = live.get().link
  if (before.state !== 'away') live.set({ link: { state: 'away', since: Date.now() } })
  const signedIn = await isSignedIn()
  if (signedIn === false) live.set({ link: { state: 'signed-out' } })
  // Somebody may sign in again in another tab: the cookie is shared, so this page goes on, too.
  losses += 1
  timer = setTimeout(open, backoff(losses, LONGEST_MS, FIRST_MS))
}

function sayTail(): void {
  if (tail) say({ tail: { after: tailAfter, query: tail.query } })
}

function say(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

/** What a person can do to a session from the page. */
import type { SessionView } from '../../client/index.ts'
import type { Act } from '../../sessions/state/phase.ts'
import { CallError, call } from '../live/call.ts'
import { act, NOT_ALLOWED, raise } from '../live/device.ts'
import { toast, toastError } from '../parts/toast.tsx'
import { go, sessionPath } from '../router.ts'
import { askToPair } from './pair.tsx'

export function openSession({ key }: SessionView): void {
  go(sessionPath(key))
}

export async function goToPane(session: SessionView): Promise<void> {
  if (session.pane === undefined) {
    toast(`${session.name} runs in no tmux pane. Answer it in its own terminal.`)
    return
  }
  await told(async () => {
    const { client, attach } = await call('tmux.jump', { session: session.key })
    if (client === null) toast(`No terminal shows that tmux server. Go there with: ${attach}`)
    else toast(`tmux shows the pane of ${session.name}.`, 'done')
  })
}

export async function markSeen({ key, name }: SessionView): Promise<void> {
  await told(async () => {
    await call('sessions.seen', { session: key })
    toast(`${name} is marked as seen.`, 'done')
  })
}

/** True if it is called so now. */
export function rename({ key }: SessionView, name: string): Promise<boolean> {
  return told(async () => {
    await call('sessions.rename', { session: key, name })
    toast(`It is called ${name} now.`, 'done')
  })
}

/** Sends text, interrupts, or ends it: signed, as an answer. True if it was done. */
export function doTo({ key }: SessionView, what: Act, text = ''): Promise<boolean> {
  return told(async () => toast(await act(key, what, text), 'done'))
}

export function raiseTo(id: string, scope: string, cap: string, limit: number): Promise<boolean> {
  return told(async () => {
    await raise(id, scope, cap, limit)
    toast(`Budget ${id} is raised.`, 'done')
  })
}

export async function startDemo(): Promise<void> {
  await told(async () => {
    await call('demo.start', {})
    toast('The demo plays recorded sessions. They appear here.', 'done')
  })
}

/** False if it went wrong, which is said; a browser that may not do it is asked to pair. */
async function told(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (error instanceof CallError && error.code === NOT_ALLOWED) askToPair()
    else toastError(error)
    return false
  }
}

/** What a person can do to a session from the page. */
import type { SessionView } from '../../client/index.ts'
import { call } from '../live/call.ts'
import { toast, toastError } from '../parts/toast.tsx'
import { go, sessionPath } from '../router.ts'

export function openSession({ key }: SessionView): void {
  go(sessionPath(key))
}

export async function goToPane(session: SessionView): Promise<void> {
  if (session.pane === undefined) {
    toast(`${session.name} runs in no tmux pane. Answer it in its own terminal.`)
    return
  }
  try {
    const { client, attach } = await call('tmux.jump', { session: session.key })
    if (client === null) toast(`No terminal shows that tmux server. Go there with: ${attach}`)
    else toast(`tmux shows the pane of ${session.name}.`, 'done')
  } catch (error) {
    toastError(error)
  }
}

export async function markSeen({ key, name }: SessionView): Promise<void> {
  try {
    await call('sessions.seen', { session: key })
    toast(`${name} is marked as seen.`, 'done')
  } catch (error) {
    toastError(error)
  }
}

export async function startDemo(): Promise<void> {
  try {
    await call('demo.start', {})
    toast('The demo plays recorded sessions. They appear here.', 'done')
  } catch (error) {
    toastError(error)
  }
}

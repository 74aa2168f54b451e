/**
 * Whether a session's pane still shows its agent. A pane outlives the agent in it: then a shell would run what was meant as a
 * prompt, and closing the pane would end somebody's editor. The system reuses pids, so the process must have started before
 * the agent's last event.
 *
 *   const why = await outOfReach(session, state)   // 'brave-otter is not in front: its pane shows bash.'
 */
import type { SessionView } from '../client/index.ts'
import { isInFront, type ProcessRow, processRow, upFrom } from '../core/processes/process-table.ts'
import { isOurs, isShell } from '../core/processes/process-tree.ts'
import { clean } from '../core/text/text.ts'
import type { PaneState } from './pane.ts'

const CLOCK_SLACK_MS = 1_500 // start times have a resolution of one second

export type Reached = Pick<SessionView, 'name' | 'pid' | 'lastActivity'>

/** The agent's process, if it can be seen from here: one in a container cannot. */
export async function processOf({ pid, lastActivity }: Reached): Promise<ProcessRow | undefined> {
  if (pid === undefined || pid <= 1) return undefined
  const found = await processRow(pid)
  if (!found || found.startedAt > lastActivity + CLOCK_SLACK_MS) return undefined
  return process.platform !== 'linux' || isOurs(pid) ? found : undefined
}

/** Why what is typed into the pane would not get to the agent. */
export async function outOfReach(session: Reached, pane: PaneState): Promise<string | undefined> {
  const { name, pid } = session
  const shows = clean(pane.command)
  if (pid !== undefined && (await processOf(session))) {
    // `gantry run` gives an agent a terminal of its own; then it is the one that has the pane's.
    const { tty } = (await processRow(pane.pid)) ?? { tty: '' }
    for await (const one of upFrom(pid))
      if (one.tty === tty && tty !== '')
        return isInFront(one) ? undefined : `${name} is not in front: its pane shows ${shows}.`
    return `${name} is not in its pane any more: that shows ${shows}.`
  }
  return isShell(shows) ? `${name} is not there any more: its pane shows ${shows}.` : undefined
}

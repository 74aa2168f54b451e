/**
 * Actions outside the screen: jump to a pane, answer a request, raise a budget, start the daemon. Each returns its outcome
 * in words.
 */
import {
  type ApprovalView,
  answerApproval,
  call,
  provedAnswer,
  raiseBudget,
  type SessionView,
} from '../client/index.ts'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { selfCommand } from '../core/processes/self.ts'
import { clean } from '../core/text/text.ts'
import { paneOf, serverOf } from '../core/tmux.ts'
import { switchTo } from '../tmux/jump.ts'
import type { Done } from '../tmux/pane.ts'

const START_LIMIT_MS = 20_000 // a little more than `gantry up` allows itself
const SEEN_LIMIT_MS = 2_000
const LIMIT = { deadlineMs: 5_000 } // somebody looks at the screen

/** `lend` gives the terminal to a program that attaches. */
export async function jump(
  places: Places,
  session: SessionView,
  lend: (argv: readonly string[]) => Promise<void>,
): Promise<Done> {
  const pane = paneOf(session)
  if (!pane)
    return { ok: false, says: 'No tmux pane is known for this session, so there is nowhere to jump.' }
  let attach: readonly string[] | undefined
  try {
    attach = await switchTo(pane, serverOf(process.env.TMUX))
  } catch (error) {
    return failed(error)
  }
  // A person who jumps there has looked at it. Marking that is not worth waiting for.
  void call(places, 'sessions.seen', { session: session.key }, { deadlineMs: SEEN_LIMIT_MS }).catch(() => {})
  if (attach) await lend(attach)
  return { ok: true, says: '' }
}

/** The whole request, or why it cannot be answered any more. */
export function lookAt(places: Places, id: string): Promise<ApprovalView | Done> {
  return call(places, 'approvals.get', { id }, LIMIT).catch(failed)
}

/** Approves exactly this request: the nonce ties a yes to what was shown. */
export async function approve(places: Places, asked: Pick<ApprovalView, 'id' | 'nonce'>): Promise<Done> {
  try {
    const args = provedAnswer(places, asked, 'allow', { via: 'tui' })
    await call(places, 'approvals.answer', args, LIMIT)
    return { ok: true, says: `Approved ${asked.id}.` }
  } catch (error) {
    return failed(error)
  }
}

export async function deny(places: Places, id: string, text: string): Promise<Done> {
  const message = text === '' ? undefined : text
  return answerApproval(places, id, 'deny', { message, via: 'tui' }, LIMIT).then(
    () => ({ ok: true, says: `Denied ${id}.` }),
    failed,
  )
}

function failed(error: unknown): Done {
  return { ok: false, says: clean(messageOf(error)) }
}

/** Every limit that this session has reached, by as much again. */
export async function raiseBudgets(places: Places, session: SessionView): Promise<Done> {
  try {
    const raised: string[] = []
    for (const { id, uses } of await call(places, 'budgets.list', { session: session.key }, LIMIT)) {
      for (const { scope, caps } of uses) {
        for (const { cap, used, limit, extra } of caps) {
          if (used < limit) continue
          await raiseBudget(places, { id, scope, cap, limit: 2 * limit - extra }, LIMIT)
          raised.push(id)
        }
      }
    }
    if (raised.length > 0) return { ok: true, says: `Raised ${[...new Set(raised)].join(', ')}.` }
    return { ok: false, says: `${session.name} has used up no budget.` }
  } catch (error) {
    return failed(error)
  }
}

/** Runs `gantry up` in a process of its own, which ends when the daemon listens. */
export async function startDaemon(places: Places): Promise<Done> {
  const home = places.home === undefined ? {} : { GANTRY_HOME: places.home }
  const child = Bun.spawn([...selfCommand(), 'up', '--quiet'], {
    cwd: '/',
    env: { ...process.env, ...home },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: START_LIMIT_MS,
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) === 0) return { ok: true, says: 'The daemon is up.' }
  return {
    ok: false,
    says: clean(said.replace(/^gantry: /, '')) || 'The daemon did not start. See: gantry up',
  }
}

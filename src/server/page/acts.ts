/** What a person does to an agent from the page, as on the terminal: send it text, interrupt it, end it. */
import type { SessionView } from '../../client/index.ts'
import { clean } from '../../core/text/text.ts'
import { isResting, refusesText } from '../../sessions/state/phase.ts'
import { endAgent } from '../../tmux/end-agent.ts'
import { type Done, interruptPane, paneOf, typeInto } from '../../tmux/pane.ts'

export const ACTS = ['send', 'interrupt', 'end'] as const
export type Act = (typeof ACTS)[number]

export async function actOn(session: SessionView, act: Act, text: string): Promise<Done> {
  if (act === 'end') return session.phase === 'ended' ? no(`${session.name} has ended.`) : endAgent(session)
  const pane = paneOf(session)
  if (!pane) return no(`${session.name} runs in no tmux pane, so it cannot be reached from here.`)
  if (act === 'send') {
    const why = refusesText(session)
    if (why !== undefined) return no(why)
    const line = clean(text)
    if (line === '') return no('There is no text to send.')
    return told(await typeInto(pane, session, line), `Sent to ${session.name}.`)
  }
  if (isResting(session.phase) || session.phase === 'ended')
    return no(`${session.name} is ${session.phase}: nothing to interrupt.`)
  return told(await interruptPane(pane, session), `Escape sent to ${session.name}.`)
}

function no(says: string): Done {
  return { ok: false, says }
}

function told(done: Done, says: string): Done {
  return done.ok ? { ok: true, says } : done
}

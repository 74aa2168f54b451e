/**
 * A verdict in the format of `bus emit`, which hooks of bd's bus understand: context and warnings on stdout, warnings as
 * reminders; a block as JSON on stderr with exit 2. That format has no question, permission or rewrite: those use the
 * agent's own format.
 */
import { type Answer, agentFor } from '../agents/index.ts'
import { EMPTY_REPLY, type HookEvent, type Verdict } from '../events/index.ts'

const BLOCKED = 2

export function emitReply(event: HookEvent, verdict: Verdict): Answer {
  const { decision, context = [], systemMessage = '' } = verdict
  const blocks = decision === 'deny' || decision === 'block-stop'
  if (!blocks && (decision !== 'none' || verdict.input !== undefined))
    return agentFor(event.agent).answer(event, verdict)
  const reminders = systemMessage.split('\n').filter(Boolean).map(reminder)
  const stdout = [...context, ...reminders].map((text) => `${text}\n`).join('')
  if (blocks) return { reply: { exit: BLOCKED, stdout, stderr: blockLine(verdict) } }
  return { reply: stdout === '' ? EMPTY_REPLY : { exit: 0, stdout, stderr: '' } }
}

function reminder(text: string): string {
  return `<system-reminder>${text}</system-reminder>`
}

function blockLine({ reason, by }: Verdict): string {
  const why = reason?.trim() ? reason : `Blocked by ${by ?? 'a rule'}.`
  return `${JSON.stringify({ decision: 'block', reason: why })}\n`
}

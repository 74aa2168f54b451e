/** Pending permission requests, for programs that ask a person or decide in their place. */
import { provedAnswer } from '../client/approvals.ts'
import { GantryError } from '../core/errors.ts'
import type { ApprovalDecision, ApprovalView } from '../rpc/index.ts'
import { askDaemon, type CallOptions, type Link, type Waiting } from './link.ts'
import { messages } from './streams.ts'

export async function approvals(link: Link, options?: CallOptions): Promise<readonly ApprovalView[]> {
  const { approvals: held } = await askDaemon(link, 'approvals.list', {}, { ...options, isRead: true })
  return held
}

/**
 * Yields each pending request, then each new one. A request that is resolved before the loop reaches it is left out.
 */
export async function* approvalRequests(link: Link, waiting: Waiting): AsyncGenerator<ApprovalView, void> {
  const given = new Set<string>()
  const fresh = async () => {
    const held = await approvals(link, waiting)
    const open = new Set(held.map(({ nonce }) => nonce))
    for (const nonce of given) if (!open.has(nonce)) given.delete(nonce)
    return held.filter(({ nonce }) => !given.has(nonce))
  }
  const asked = messages(
    link,
    { stream: 'DECISION_EVENTS', filter: 'ApprovalAsked', deliver: 'new' },
    waiting,
  )
  // Subscribed before the list is read, so that no request falls between the two.
  let next = asked.next()
  try {
    for (;;) {
      for (const approval of await fresh()) {
        given.add(approval.nonce)
        const whole = approval.isLarge ? await inFull(link, approval, waiting) : approval
        if (whole) yield whole
      }
      const { done } = await next
      if (done) return
      next = asked.next()
    }
  } finally {
    await asked.return()
  }
}

/** Undefined if it is resolved by now. */
async function inFull(
  link: Link,
  { id, nonce }: ApprovalView,
  waiting: Waiting,
): Promise<ApprovalView | undefined> {
  try {
    const found = await askDaemon(link, 'approvals.get', { id }, { ...waiting, isRead: true })
    return found.nonce === nonce ? found : undefined
  } catch (error) {
    if (error instanceof GantryError && error.code === 'VALIDATION_ERROR') return undefined
    throw error
  }
}

export async function answer(
  link: Link,
  id: string,
  decision: ApprovalDecision,
  message: string | undefined,
  options?: CallOptions,
): Promise<ApprovalView> {
  const asked = await askDaemon(link, 'approvals.get', { id }, { ...options, isRead: true })
  await askDaemon(link, 'approvals.answer', provedAnswer(link.places, asked, decision, { message }), options)
  return asked
}

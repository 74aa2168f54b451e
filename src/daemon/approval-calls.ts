/**
 * Calls about approvals: what waits for a person, and the answer. The socket is the user's, and so are their agents: an
 * answer needs the key and the question's secret word, and does not come from an agent.
 */
import { z } from 'zod'
import { sameText } from '../bus/index.ts'
import { type ApprovalList, type ApprovalView, insideAgent, proofOf } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import type { Approval, Ending } from '../policy/index.ts'
import { isHard, type Session } from '../sessions/index.ts'
import type { Approvals } from './approvals.ts'
import { agentAround, isThere, placeOf } from './caller.ts'
import { defineRpc, type Rpc, type RpcContext } from './rpc.ts'

export interface ApprovalCallParts {
  readonly approvals: Approvals
  readonly sessions: () => Iterable<Session>
  readonly key: () => string
}

const MAX_MESSAGE_CHARS = 4_000
const approvalId = z.string().min(1).max(64)

export function approvalCalls(parts: ApprovalCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'approvals.list',
      summary: 'Permissions that wait for an answer, and what can only be answered in its terminal',
      args: z.strictObject({}),
      example: {},
      handle: () => listOf(parts),
    }),
    defineRpc({
      name: 'approvals.get',
      summary: 'One permission that waits, with all of its input',
      args: z.strictObject({ id: approvalId }),
      example: { id: 'riko7' },
      handle: ({ id }) => viewOf(openOne(parts, id), parts),
    }),
    defineRpc({
      name: 'approvals.answer',
      summary: 'Answers it; takes a proof made with the approval key, and nothing from inside an agent',
      args: z.strictObject({
        id: approvalId,
        nonce: z.string().min(1).max(64),
        decision: z.enum(['allow', 'deny']),
        message: z.string().max(MAX_MESSAGE_CHARS).optional(),
        via: z
          .string()
          .regex(/^[a-z]{1,16}$/)
          .default('rpc'),
        proof: z.string().min(1).max(128),
      }),
      example: { id: 'riko7', nonce: '…', decision: 'allow', proof: '…' },
      handle: async (args, context) => {
        const from = await personAt(context, parts)
        const approval = openOne(parts, args.id)
        const { id, nonce, decision, message } = args
        const said = { id, nonce, decision, ...(message === undefined ? {} : { message }) }
        if (!sameText(args.proof, proofOf(parts.key(), said)))
          throw new GantryError(
            'PERMISSION',
            'The answer is not proved with the approval key. Use: gantry approve',
          )
        if (!sameText(nonce, approval.nonce))
          throw new GantryError(
            'VALIDATION_ERROR',
            `${id} is another question now. Look again: gantry approvals`,
          )
        parts.approvals.answer(approval, decision, `${args.via}${from}`, message)
        return { id, decision }
      },
    }),
  ]
}

function listOf({ approvals, sessions }: ApprovalCallParts): ApprovalList {
  const all = [...sessions()]
  const names = new Map(all.map(({ key, name }) => [key, name]))
  const held = approvals.all()
  const elsewhere = all.flatMap((session) => {
    if (session.endedAt !== undefined) return []
    const answerable = new Set(held.filter(({ key }) => key === session.key).map(({ tool }) => tool))
    const asked = session.attention.filter(
      (one) => isHard(one) && !(one.kind === 'permission' && answerable.has(one.tool ?? '')),
    )
    const { id, name, agent, pane } = session
    return asked.map(({ kind, reason, since }) => ({
      ...{ session: id, name, agent, kind, reason, since },
      ...(pane === undefined ? {} : { pane }),
    }))
  })
  const bounded = held.map((approval) => (approval.isLarge ? { ...approval, input: null } : approval))
  return { approvals: bounded.map((approval) => shown(approval, names.get(approval.key))), elsewhere }
}

function viewOf(approval: Approval, { sessions }: ApprovalCallParts): ApprovalView {
  for (const { key, name } of sessions()) if (key === approval.key) return shown(approval, name)
  return shown(approval, undefined)
}

function shown(approval: Approval, name = ''): ApprovalView {
  const { eventId: _, native: __, key: ___, sessionId, ...rest } = approval
  return { ...rest, session: sessionId, name }
}

function openOne({ approvals }: ApprovalCallParts, id: string): Approval {
  const found = approvals.find(id)
  if (found?.state === 'open') return found.approval
  const message = found
    ? `${id} is over: ${endingText(found.ending)}. It changes nothing any more.`
    : `No permission "${id}" waits for an answer. "gantry approvals" lists those that do.`
  throw new GantryError('VALIDATION_ERROR', message)
}

function endingText({ how, at, by }: Ending): string {
  const when = `${Math.max(0, Math.round((Date.now() - at) / 1000))} s ago`
  switch (how) {
    case 'allowed':
      return `it was approved ${when}, from ${by}`
    case 'denied':
      return `it was denied ${when}, from ${by}`
    case 'expired':
      return `nobody answered in time, and the agent asks in its own terminal since ${when}`
    case 'withdrawn':
      return `it was withdrawn ${when}, ${by}`
  }
}

/** From where a person answers; an agent, or whoever hides, is sent away. */
async function personAt({ descriptor }: RpcContext, { sessions }: ApprovalCallParts): Promise<string> {
  const { peerPid } = await import('./peer.ts') // the foreign function interface is for nobody else
  const pid = descriptor && peerPid(descriptor())
  if (!pid) return '' // not told on this system; docs/approvals.md says what that means
  const agents = new Map<number, string>()
  for (const { pid: agent, name, endedAt } of sessions())
    if (agent !== undefined && endedAt === undefined) agents.set(agent, name)
  const why = isThere(pid) ? agentAround(pid, agents) : 'it has gone already'
  if (why === undefined) return ` (${placeOf(pid)})`
  throw new GantryError('PERMISSION', insideAgent(why))
}

/**
 * Calls about approvals: what waits for a person, and the answer. The socket is the user's, and so are their agents: an
 * answer needs the key and the question's secret word, and does not come from an agent.
 */
import { sameText } from '../../bus/index.ts'
import { type ApprovalList, type ApprovalView, proofOf } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import { age } from '../../core/text/amount.ts'
import { inputLine } from '../../core/text/input-line.ts'
import type { AskedElsewhere, CallHandlers } from '../../rpc/index.ts'
import { type Attention, isHard, type Session } from '../../sessions/state/index.ts'
import { questionsOf } from '../../timeline/entry.ts'
import type { Approvals } from './approvals.ts'
import type { Approval, Ending } from './waiting.ts'

interface ApprovalCallParts {
  readonly approvals: Approvals
  readonly sessions: () => Iterable<Session>
  readonly key: () => string
  /** The input of the tool that a session waits for, where it is still known. */
  readonly askedInput: (session: Session, attention: Attention) => unknown
}

export function approvalCalls(parts: ApprovalCallParts) {
  return {
    'approvals.list': () => listOf(parts),
    'approvals.get': ({ id }) => viewOf(openOne(parts, id), parts),
    'approvals.answer': (args, { caller }) => {
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
          `${id} now refers to a newer request. Run: gantry approvals`,
        )
      const from = caller?.place ? `${args.via} (${caller.place})` : args.via
      parts.approvals.answer(approval, decision, from, message)
      return { id, decision }
    },
  } satisfies Partial<CallHandlers>
}

function listOf({ approvals, sessions, askedInput }: ApprovalCallParts): ApprovalList {
  const all = new Map([...sessions()].map((session) => [session.key, session]))
  const held = approvals.all()
  const elsewhere = [...all.values()].flatMap((session) => {
    if (session.endedAt !== undefined) return []
    const own = held.filter(({ key }) => key === session.key)
    const isHeld = ({ kind, tool = '', agentId }: Attention) =>
      kind === 'permission' && own.some((one) => one.tool === tool && one.agentId === agentId)
    const asked = session.attention.filter((one) => isHard(one) && !isHeld(one))
    const { id, name, agent, pane } = session
    return asked.map((one) => ({
      ...{ session: id, name, agent, kind: one.kind, reason: one.reason, since: one.since },
      ...subAgent(session, one.agentId),
      ...(one.tool === undefined ? {} : { tool: one.tool }),
      ...inputOf(askedInput(session, one)),
      ...(pane === undefined ? {} : { pane }),
    }))
  })
  const bounded = held.map((approval) => (approval.isLarge ? { ...approval, input: null } : approval))
  return { approvals: bounded.map((approval) => shown(approval, all.get(approval.key))), elsewhere }
}

function inputOf(input: unknown): Pick<AskedElsewhere, 'line' | 'questions'> {
  const [line, questions] = [inputLine(input), questionsOf(input)]
  return { ...(line === '' ? {} : { line }), ...(questions.length === 0 ? {} : { questions }) }
}

function subAgent(session: Session | undefined, agentId: string | undefined) {
  const type = session?.children.find((child) => child.agentId === agentId)?.type
  return {
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentId === undefined || !type ? {} : { agentType: type }),
  }
}

function viewOf(approval: Approval, { sessions }: ApprovalCallParts): ApprovalView {
  for (const session of sessions()) if (session.key === approval.key) return shown(approval, session)
  return shown(approval, undefined)
}

function shown(approval: Approval, session: Session | undefined): ApprovalView {
  const { eventId: _, native: __, key: ___, sessionId, ...rest } = approval
  return { ...rest, ...subAgent(session, approval.agentId), session: sessionId, name: session?.name ?? '' }
}

function openOne({ approvals }: ApprovalCallParts, id: string): Approval {
  const found = approvals.find(id)
  if (found?.state === 'open') return found.approval
  const message = found
    ? `${id} is over: ${endingText(found.ending)}. It changes nothing any more.`
    : `Permission request "${id}" is not open. Run: gantry approvals`
  throw new GantryError('VALIDATION_ERROR', message)
}

function endingText({ how, at, by }: Ending): string {
  const when = `${age(Date.now() - at)} ago`
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

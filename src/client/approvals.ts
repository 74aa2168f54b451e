/**
 * Permissions that wait for a person, and how one is answered. An answer is proved with a key of its own, which is in no
 * agent's environment and never travels, and is for one question alone: the proof is over its secret word, too.
 *
 *   await answerApproval(places(), 'riko7', 'deny', { message: 'Use the staging database.', via: 'cli' })
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { refuseInsideAgent } from '../agents/inside-agent.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { type CallOptions, call } from './connection.ts'

/** One that is held. */
export interface ApprovalView {
  readonly id: string
  /** The answer has to name it: it is for this question and for no other. */
  readonly nonce: string
  readonly agent: string
  readonly session: string
  /** What the session is called. */
  readonly name: string
  /** The sub-agent that asks, and what kind of one it is. */
  readonly agentId?: string
  readonly agentType?: string
  readonly tool: string
  /** What the tool is about to do, on one line. */
  readonly line: string
  /** All of its input, without secrets; null in a list where it is too large for one. */
  readonly input: unknown
  readonly isLarge: boolean
  /** Why a rule or a handler wants it asked. */
  readonly reason?: string
  readonly cwd?: string
  readonly since: number
  readonly until: number
}

/** Waits for a person, too, but can only be answered in its own terminal. */
export interface AskedElsewhere {
  readonly session: string
  readonly name: string
  readonly agent: string
  readonly kind: string
  readonly reason: string
  /** The sub-agent that asks, and what kind of one it is. */
  readonly agentId?: string
  readonly agentType?: string
  readonly tool?: string
  /** What the tool is about to do, on one line, where its event is still known. */
  readonly line?: string
  readonly since: number
  readonly pane?: string
}

export interface ApprovalList {
  readonly approvals: readonly ApprovalView[]
  readonly elsewhere: readonly AskedElsewhere[]
}

export type ApprovalDecision = 'allow' | 'deny'

export interface ApprovalAnswer {
  readonly message?: string | undefined
  /** What the answer came through: cli, tui, sdk. */
  readonly via?: string
}

export async function listApprovals(places: Places, options?: CallOptions): Promise<ApprovalList> {
  return (await call(places, 'approvals.list', {}, options)) as ApprovalList
}

/** Throws what became of it when it is over already. */
export async function answerApproval(
  places: Places,
  id: string,
  decision: ApprovalDecision,
  answer: ApprovalAnswer = {},
  options?: CallOptions,
): Promise<ApprovalView> {
  const asked = (await call(places, 'approvals.get', { id }, options)) as ApprovalView
  await call(places, 'approvals.answer', provedAnswer(places, asked, decision, answer), options)
  return asked
}

/** The arguments of `approvals.answer`. */
export function provedAnswer(
  places: Places,
  { id, nonce }: Pick<ApprovalView, 'id' | 'nonce'>,
  decision: ApprovalDecision,
  { message, via = 'sdk' }: ApprovalAnswer = {},
): Readonly<Record<string, string>> {
  refuseInsideAgent() // the daemon looks for itself, where the system tells it who calls
  const answer = { id, nonce, decision, ...(message === undefined ? {} : { message }) }
  return { ...answer, via, proof: proofOf(readKey(places), answer) }
}

/** Over everything that is said, so that nobody can make another answer of it. */
export function proofOf(
  key: string,
  answer: { id: string; nonce: string; decision: ApprovalDecision; message?: string },
): string {
  const { id, nonce, decision, message = '' } = answer
  return createHmac('sha256', key)
    .update(JSON.stringify([id, nonce, decision, message]))
    .digest('base64url')
}

function readKey(places: Places): string {
  try {
    return readFileSync(places.approvalKey, 'utf8').trim()
  } catch (cause) {
    const message = `Cannot read ${places.approvalKey}, the key that answers are proved with. Is it this user's daemon? See: gantry status`
    throw new GantryError('PERMISSION', message, { cause })
  }
}

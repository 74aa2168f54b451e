/**
 * Permissions that wait for a person, and how to answer one. An answer is signed with a key that is in no agent's
 * environment and is never sent. The signature covers the question's nonce, so it is valid for that question alone.
 *
 *   await answerApproval(places(), 'riko7', 'deny', { message: 'Use the staging database.', via: 'cli' })
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { refuseInsideAgent } from '../agents/inside-agent.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { ApprovalDecision, ApprovalList, ApprovalView, CallArgs } from '../rpc/index.ts'
import { type CallOptions, call } from './connection.ts'

interface ApprovalAnswer {
  readonly message?: string | undefined
  /** The surface used to answer: cli, tui, sdk. */
  readonly via?: string
}

export async function listApprovals(places: Places, options?: CallOptions): Promise<ApprovalList> {
  return call(places, 'approvals.list', {}, options)
}

/** Throws with the outcome if the question is already settled. */
export async function answerApproval(
  places: Places,
  id: string,
  decision: ApprovalDecision,
  answer: ApprovalAnswer = {},
  options?: CallOptions,
): Promise<ApprovalView> {
  const asked = await call(places, 'approvals.get', { id }, options)
  await call(places, 'approvals.answer', provedAnswer(places, asked, decision, answer), options)
  return asked
}

/** The arguments of `approvals.answer`. */
export function provedAnswer(
  places: Places,
  { id, nonce }: Pick<ApprovalView, 'id' | 'nonce'>,
  decision: ApprovalDecision,
  { message, via = 'sdk' }: ApprovalAnswer = {},
): CallArgs<'approvals.answer'> {
  refuseInsideAgent() // the daemon also checks, if the system identifies the caller
  const answer = { id, nonce, decision, ...(message === undefined ? {} : { message }) }
  return { ...answer, via, proof: proofOf(approvalKey(places), answer) }
}

/** Covers every field, so that nobody can turn it into another answer. */
export function proofOf(
  key: string,
  answer: { id: string; nonce: string; decision: ApprovalDecision; message?: string },
): string {
  const { id, nonce, decision, message = '' } = answer
  return proofOver(key, [id, nonce, decision, message])
}

export function proofOver(key: string, said: readonly (string | number)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(said)).digest('base64url')
}

/** The key that proves a person's answers. */
export function approvalKey(places: Places): string {
  try {
    return readFileSync(places.approvalKey, 'utf8').trim()
  } catch (cause) {
    const message = `Cannot read ${places.approvalKey}, the key that signs answers. The daemon may belong to another user. Run: gantry status`
    throw new GantryError('PERMISSION', message, { cause })
  }
}

/** Permissions that wait for a person. */
import { z } from 'zod'
import { guardedCall, openCall } from '../definition.ts'
import type { Ask } from './sessions.ts'

/** A held permission request. */
export interface ApprovalView {
  readonly id: string
  /** An answer must repeat it, so it is valid for this question alone. */
  readonly nonce: string
  readonly agent: string
  readonly session: string
  /** The session's name. */
  readonly name: string
  /** The asking sub-agent and its type. */
  readonly agentId?: string
  readonly agentType?: string
  readonly tool: string
  /** The tool's input on one line. */
  readonly line: string
  /** The whole input without secrets; null in a list if it is too large. */
  readonly input: unknown
  /** Too large to be told to everyone: whoever wants the input asks for it. */
  readonly isLarge: boolean
  /** Why a rule or a handler asks. */
  readonly reason?: string
  readonly cwd?: string
  readonly since: number
  readonly until: number
}

/** Also waits for a person, but can only be answered in its own terminal. */
export interface AskedElsewhere {
  readonly session: string
  readonly name: string
  readonly agent: string
  readonly kind: string
  readonly reason: string
  /** The asking sub-agent and its type. */
  readonly agentId?: string
  readonly agentType?: string
  readonly tool?: string
  /** The tool's input on one line, if its event is still known. */
  readonly line?: string
  /** What a tool that asks a person asks, if its event is still known. */
  readonly questions?: Ask['questions']
  readonly since: number
  readonly pane?: string
}

export interface ApprovalList {
  readonly approvals: readonly ApprovalView[]
  readonly elsewhere: readonly AskedElsewhere[]
}

export type ApprovalDecision = 'allow' | 'deny'

const MAX_MESSAGE_CHARS = 4_000
const approvalId = z.string().min(1).max(64)

export const approvalCalls = {
  'approvals.list': openCall({
    summary: 'Permissions that wait for an answer, and requests that can only be answered in their terminal',
    result: z.custom<ApprovalList>(),
  }),
  'approvals.get': openCall({
    summary: 'One pending permission with its whole input',
    args: z.strictObject({ id: approvalId }),
    result: z.custom<ApprovalView>(),
    example: { id: 'riko7' },
  }),
  'approvals.answer': guardedCall({
    summary: 'Answers a permission; needs a signature with the approval key',
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
    result: z.custom<{ readonly id: string; readonly decision: ApprovalDecision }>(),
    example: { id: 'riko7', nonce: '…', decision: 'allow', proof: '…' },
  }),
}

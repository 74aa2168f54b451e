/**
 * What a person decides in the page: permissions and budgets. It takes the signature of an allowed device over exactly this
 * decision; then it goes the way of `gantry approve`. A permission's nonce makes the signature good for one question.
 */
import { z } from 'zod'
import { proofOf, proofOver } from '../../client/approvals.ts'
import { checked } from '../../core/text/issue-words.ts'
import type { RpcRegistry } from '../../rpc/index.ts'
import type { Device, Devices } from './devices.ts'
import { encodedAnswer, jsonAnswer, refusal } from './headers.ts'

export interface AnswerParts {
  readonly devices: Devices
  readonly rpc: RpcRegistry
  /** The key that proves a person's answers. */
  readonly key: () => string
}

type Said = Readonly<Record<string, unknown>>

const MAX_MESSAGE_CHARS = 4_000
const text = (most: number) => z.string().min(1).max(most)
const proof = { device: text(64), signature: text(200) }

const answerSchema = z.strictObject({
  ...proof,
  id: text(64),
  nonce: text(64),
  decision: z.enum(['allow', 'deny']),
  message: z.string().max(MAX_MESSAGE_CHARS).optional(),
})

const raiseSchema = z.strictObject({
  ...proof,
  id: text(64),
  scope: text(4096),
  cap: text(32),
  limit: z.number(),
})

const deviceSchema = z.strictObject({ publicKey: text(200), label: z.string().max(200).default('') })

/** `POST /api/device`: this browser asks to be allowed, or how that stands. */
export async function proposeDevice(said: Said, { devices }: AnswerParts): Promise<Response> {
  const { publicKey, label } = checked(deviceSchema, said, 'device')
  return jsonAnswer({ ok: true, data: await devices.propose(publicKey, label, Date.now()) })
}

/** `POST /api/answer` */
export function answerApproval(said: Said, parts: AnswerParts): Promise<Response> {
  const { device, signature, ...answer } = checked(answerSchema, said, 'answer')
  const { id, nonce, decision, message } = answer
  return proved(parts, { device, signature }, ['approval', id, nonce, decision, message ?? ''], () => {
    const told = { id, nonce, decision, ...(message === undefined ? {} : { message }) }
    return { cmd: 'approvals.answer', args: { ...told, via: 'page', proof: proofOf(parts.key(), told) } }
  })
}

/** `POST /api/raise` */
export function raiseBudget(said: Said, parts: AnswerParts): Promise<Response> {
  const { device, signature, ...raised } = checked(raiseSchema, said, 'raise')
  const { id, scope, cap, limit } = raised
  const signed = ['budget', id, scope, cap, limit]
  return proved(parts, { device, signature }, signed, () => ({
    cmd: 'budgets.raise',
    args: { ...raised, proof: proofOver(parts.key(), signed) },
  }))
}

async function proved(
  { devices, rpc }: AnswerParts,
  { device: id, signature }: { readonly device: string; readonly signature: string },
  said: readonly (string | number)[],
  request: () => { readonly cmd: string; readonly args: object },
): Promise<Response> {
  const device: Device | undefined = await devices.signed(id, said, signature, Date.now())
  if (device) {
    const { cmd, args } = request()
    const place = cmd === 'approvals.answer' ? device.label : `page (${device.label})`
    return encodedAnswer(await rpc.call({ cmd, args }, { caller: { place } }))
  }
  return devices.isAllowed(id)
    ? refusal(403, 'PERMISSION', 'The signature is not one of this browser over this answer.')
    : refusal(
        403,
        'DEVICE_NOT_ALLOWED',
        'This browser may not answer yet. Confirm it: gantry web allow <code>',
      )
}

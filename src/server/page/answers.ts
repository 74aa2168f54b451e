/**
 * What a person decides in the page: permissions, budgets, and what happens to an agent. It takes the signature of an
 * allowed device over exactly this decision, with a nonce, so that it is good for one time: a permission has its own, for
 * anything else the page asks for one. Then it is handled as `gantry approve` is.
 */
import { z } from 'zod'
import { proofOf, proofOver } from '../../client/approvals.ts'
import type { SessionView } from '../../client/index.ts'
import { checked } from '../../core/text/issue-words.ts'
import type { RpcRegistry } from '../../rpc/index.ts'
import { ACTS } from '../../sessions/state/phase.ts'
import { actOn } from '../../tmux/act.ts'
import type { Device, Devices } from './devices.ts'
import { encodedAnswer, jsonAnswer, refusal } from './headers.ts'
import type { OneTime } from './one-time.ts'

export interface AnswerParts {
  readonly devices: Devices
  readonly rpc: RpcRegistry
  /** The key that proves a person's answers. */
  readonly key: () => string
  /** Nonces that were not used yet. */
  readonly nonces: OneTime
}

type Said = Readonly<Record<string, unknown>>

const MAX_MESSAGE_CHARS = 4_000
const MAX_SENT_CHARS = 2_000 // longer texts belong in the agent's own editor
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
  nonce: text(64),
})

const actSchema = z.strictObject({
  ...proof,
  session: text(400),
  act: z.enum(ACTS),
  text: z.string().max(MAX_SENT_CHARS).default(''),
  nonce: text(64),
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

/** `POST /api/nonce`: a word for the next signature. */
export function newNonce({ nonces }: AnswerParts): Response {
  return jsonAnswer({ ok: true, data: { nonce: nonces.make(Date.now()) } })
}

/** `POST /api/raise` */
export function raiseBudget(said: Said, parts: AnswerParts): Promise<Response> {
  const { device, signature, nonce, ...raised } = checked(raiseSchema, said, 'raise')
  const { id, scope, cap, limit } = raised
  const told = ['budget', id, scope, cap, limit]
  return proved(
    parts,
    { device, signature },
    [...told, nonce],
    () => ({ cmd: 'budgets.raise', args: { ...raised, proof: proofOver(parts.key(), told) } }),
    nonce,
  )
}

/** `POST /api/act` */
export async function actOnSession(said: Said, parts: AnswerParts): Promise<Response> {
  const { device, signature, session, act, text: line, nonce } = checked(actSchema, said, 'act')
  const signed = ['act', session, act, line, nonce]
  const found = await signer(parts, { device, signature }, signed, nonce)
  if (found instanceof Response) return found
  const answer = await parts.rpc.call({ cmd: 'sessions.get', args: { session } })
  if (!('ok' in answer) || !answer.ok) return encodedAnswer(answer)
  const { ok, says } = await actOn(answer.data as SessionView, act, line)
  return ok ? jsonAnswer({ ok, data: { says } }) : refusal(409, 'VALIDATION_ERROR', says)
}

async function proved(
  parts: AnswerParts,
  proof: Proof,
  said: readonly (string | number)[],
  request: () => { readonly cmd: string; readonly args: object },
  nonce?: string,
): Promise<Response> {
  const device = await signer(parts, proof, said, nonce)
  if (device instanceof Response) return device
  const { cmd, args } = request()
  const place = cmd === 'approvals.answer' ? device.label : `page (${device.label})`
  return encodedAnswer(await parts.rpc.call({ cmd, args }, { caller: { place } }))
}

interface Proof {
  readonly device: string
  readonly signature: string
}

/** The device that has signed exactly this, or the refusal. A nonce is used up only by a good signature. */
async function signer(
  { devices, nonces }: AnswerParts,
  { device: id, signature }: Proof,
  said: readonly (string | number)[],
  nonce: string | undefined,
): Promise<Device | Response> {
  const device = await devices.signed(id, said, signature, Date.now())
  if (device && (nonce === undefined || nonces.use(nonce, Date.now()))) return device
  if (device) return refusal(409, 'NONCE_USED', 'This was done already, or it took too long. Try again.')
  return devices.isAllowed(id)
    ? refusal(403, 'PERMISSION', 'The signature is not one of this browser over this answer.')
    : refusal(
        403,
        'DEVICE_NOT_ALLOWED',
        'This browser may not answer yet. Confirm it: gantry web allow <code>',
      )
}

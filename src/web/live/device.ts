/**
 * How this browser proves that a person answers. It makes a key that no script can read out, once, and keeps it in
 * IndexedDB; the owner confirms it with `gantry web allow <code>` in a terminal. Each answer is signed for one question
 * alone, so the cookie is never enough to approve anything.
 */
import type { ApprovalDecision } from '../../client/index.ts'
import type { Act } from '../../sessions/state/phase.ts'
import { CallError, post } from './call.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const
const DATABASE = 'gantry'
const STORE = 'device'

export interface Pairing {
  readonly device: string
  readonly allowed: boolean
  /** What the owner types; absent once it is confirmed. */
  readonly code?: string
}

/** This browser is not confirmed yet, or not any more. */
export const NOT_ALLOWED = 'DEVICE_NOT_ALLOWED'

let keys: Promise<CryptoKeyPair> | undefined
/** Once it is allowed. */
let device: string | undefined

/** Registers this browser, or looks how its registration stands. */
export async function pairing(): Promise<Pairing> {
  const { publicKey } = await keyPair()
  const spki = await crypto.subtle.exportKey('spki', publicKey)
  const made = (await post('/api/device', { publicKey: base64url(spki), label: label() })) as Pairing
  device = made.allowed ? made.device : undefined
  return made
}

interface Question {
  readonly id: string
  /** Came with the question as it was shown: an answer is valid for that alone. */
  readonly nonce: string
}

/** Throws a `CallError` with NOT_ALLOWED if the owner has not confirmed this browser. */
export async function answer(
  { id, nonce }: Question,
  decision: ApprovalDecision,
  message?: string,
): Promise<void> {
  const said = ['approval', id, nonce, decision, message ?? '']
  const proof = await signed(said)
  await post('/api/answer', { id, nonce, decision, ...(message ? { message } : {}), ...proof })
}

/** Sets the limit of a budget that is used up. */
export async function raise(id: string, scope: string, cap: string, limit: number): Promise<void> {
  const nonce = await newNonce()
  const proof = await signed(['budget', id, scope, cap, limit, nonce])
  await post('/api/raise', { id, scope, cap, limit, nonce, ...proof })
}

/** Sends text to an agent, interrupts it or ends it; returns the outcome in words. */
export async function act(session: string, what: Act, text: string): Promise<string> {
  const nonce = await newNonce()
  const proof = await signed(['act', session, what, text, nonce])
  const { says } = (await post('/api/act', { session, act: what, text, nonce, ...proof })) as { says: string }
  return says
}

/** Makes a signature good for one time. */
async function newNonce(): Promise<string> {
  const { nonce } = (await post('/api/nonce', {})) as { nonce: string }
  return nonce
}

async function signed(said: readonly (string | number)[]): Promise<{ device: string; signature: string }> {
  const { privateKey } = await keyPair()
  const mine = device ?? (await pairing()).device
  if (device === undefined) throw new CallError(NOT_ALLOWED, 'This browser may not answer yet.')
  const bytes = new TextEncoder().encode(JSON.stringify(said))
  return { device: mine, signature: base64url(await crypto.subtle.sign(SIGNING, privateKey, bytes)) }
}

function keyPair(): Promise<CryptoKeyPair> {
  keys ??= loadKeys().catch((error: unknown) => {
    keys = undefined
    throw error
  })
  return keys
}

async function loadKeys(): Promise<CryptoKeyPair> {
  const database = await opened()
  try {
    const kept = await done<CryptoKeyPair | undefined>(
      database.transaction(STORE).objectStore(STORE).get('keys'),
    )
    if (kept) return kept
    const made = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
    // Two tabs may do this at the same time: the first one counts.
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE)
    const first = await done<CryptoKeyPair | undefined>(store.get('keys'))
    if (first) return first
    await done(store.put(made, 'keys'))
    return made
  } finally {
    database.close()
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return done(request)
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser keeps no keys for this page.'))
  })
}

/** `Firefox on Linux`: how the owner recognises it in `gantry web devices`. */
function label(): string {
  const agent = navigator.userAgent
  const browser =
    ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`)) ?? 'Browser'
  const system =
    ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'].find((name) => agent.includes(name)) ?? ''
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  return [names[browser] ?? browser, names[system] ?? system].filter(Boolean).join(' on ')
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

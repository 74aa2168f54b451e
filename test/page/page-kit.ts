/** A browser without a screen: its key, its cookie, and requests whose every header a test decides. */
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { until } from '../kit.ts'

export interface BrowserKey {
  /** base64url of its SPKI. */
  readonly publicKey: string
  sign(said: readonly (string | number)[]): Promise<string>
}

/** As the page makes one. */
export async function browserKey(): Promise<BrowserKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])
  const spki = await crypto.subtle.exportKey('spki', pair.publicKey)
  return {
    publicKey: Buffer.from(spki).toString('base64url'),
    sign: async (said) => {
      const bytes = new TextEncoder().encode(JSON.stringify(said))
      const made = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, bytes)
      return Buffer.from(made).toString('base64url')
    },
  }
}

export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

export interface Asking {
  readonly method?: string
  /** Sent as it is. */
  readonly path?: string
  /** Undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Buffer
}

export const originOf = (at: Places) => (JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }).url
export const portOf = (at: Places) => Number(new URL(originOf(at)).port)
export const hookToken = (at: Places) => readFileSync(at.token, 'utf8').trim()

export function ask(
  at: Places,
  { method = 'GET', path = '/', headers = {}, body }: Asking = {},
): Promise<Got> {
  const port = portOf(at)
  const all = Object.fromEntries(
    Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers: all, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const got = Buffer.concat(parts)
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: got, text: got.toString() })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

export async function newLink(at: Places, to = '/'): Promise<string> {
  const { url } = await call(at, 'web.link', { to })
  return url.slice(originOf(at).length)
}

export function cookieIn({ headers }: Got): string | undefined {
  return headers['set-cookie']?.[0]?.split(';')[0]
}

/** Signs in with a new link; gives the cookie. */
export async function signIn(at: Places): Promise<string> {
  const cookie = cookieIn(await ask(at, { path: await newLink(at) }))
  if (cookie === undefined) throw new Error('no cookie')
  return cookie
}

/** A POST as the page makes it. */
export function post(
  at: Places,
  cookie: string,
  path: string,
  body: unknown,
  headers: Asking['headers'] = {},
): Promise<Got> {
  const usual = {
    cookie,
    origin: originOf(at),
    'content-type': 'application/json',
    'x-gantry-page': '1',
    'sec-fetch-site': 'same-origin',
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return ask(at, { method: 'POST', path, headers: { ...usual, ...headers }, body: text })
}

export interface Live extends Disposable {
  readonly messages: Record<string, unknown>[]
  readonly socket: WebSocket
  /** The first message, of those there are and those that come, that has this key. */
  has(key: string, isIt?: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
}

export function live(at: Places, headers: Record<string, string>): Live {
  const socket = new WebSocket(`${originOf(at).replace('http', 'ws')}/api/live`, { headers } as never)
  const messages: Record<string, unknown>[] = []
  socket.onmessage = ({ data }) => messages.push(JSON.parse(String(data)))
  return {
    messages,
    socket,
    has: (key, isIt = () => true) =>
      until(() => messages.find((one) => key in one && isIt(one)), `a message with ${key}`),
    [Symbol.dispose]: () => socket.close(),
  }
}

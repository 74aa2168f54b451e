/**
 * `POST /hooks/in/<source>`: events from other programs, for the journal and its readers. The signature is what
 * lets them in; the token of the HTTP door is neither needed nor of any use here. Nothing is believed, and nothing
 * parsed, before the signature fits.
 */
import { messageOf } from '../../core/errors.ts'
import { secretOf } from '../../core/files/secret-files.ts'
import { jsonIn } from '../../core/json.ts'
import { json, refuse } from '../../core/json-response.ts'
import type { Log } from '../../core/log.ts'
import type { HookReply } from '../../events/index.ts'
import type { Pipeline } from '../../ingest/index.ts'
import { inboundId, rawOf } from '../../journal/index.ts'
import type { Store } from '../../store/index.ts'
import { checkSignature, SIGNATURE_HEADER, type SignatureCheck, type SignatureKind } from '../index.ts'
import type { InboundConfig } from './config.ts'

interface InboundParts {
  readonly sources: () => Readonly<Record<string, InboundConfig>>
  readonly configDir: string
  readonly pipeline: Pick<Pipeline, 'take'>
  readonly store: Pick<Store, 'counters'>
  readonly log: Log
}

const BODY_LIMIT_BYTES = 1024 * 1024
const BODY_DEADLINE_MS = 10_000
const MAX_READING = 64 // bodies of strangers in memory at once
const MAX_NAME_CHARS = 64
const MAX_ID_CHARS = 512

/** Where each kind of sender has the event's name and the delivery's id. Fields are signed, headers are not. */
const USUAL: Readonly<
  Record<
    SignatureKind,
    Partial<Pick<InboundConfig, 'event_header' | 'event_field' | 'id_header' | 'id_field'>>
  >
> = {
  gantry: { event_field: 'type', id_field: 'id' },
  github: { event_header: 'x-github-event', id_header: 'x-github-delivery' },
  stripe: { event_field: 'type', id_field: 'id' },
  token: { event_field: 'type' },
}

const REFUSALS: Readonly<Record<Exclude<SignatureCheck, 'ok'>, string>> = {
  missing: 'there is no signature',
  wrong: 'the signature does not fit',
  old: 'the signature is too old, or one of the two clocks is wrong',
}

export class Inbound {
  readonly #parts: InboundParts
  #reading = 0

  constructor(parts: InboundParts) {
    this.#parts = parts
  }

  async take(request: Request, name: string): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, 'use POST', { allow: 'POST' })
    if (request.headers.has('origin')) return refuse(403, 'not from a page in a browser')
    const sources = this.#parts.sources()
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined
    if (!source?.enabled) return this.#refused(404, '(unknown)', 'there is no such source in gantry.toml')
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/json') return this.#refused(415, name, 'send application/json')
    if (this.#reading >= MAX_READING) return refuse(503, 'too many at once', { 'retry-after': '1' })
    this.#reading += 1
    const body = await readBody(request).finally(() => {
      this.#reading -= 1
    })
    if (body === 'long') return this.#refused(413, name, 'the body is over 1 MB')
    if (body === 'slow') return this.#refused(408, name, 'the body did not come in time')
    return this.#check(request, name, source, body)
  }

  async #check(request: Request, name: string, source: InboundConfig, body: Buffer): Promise<Response> {
    const { signature, header, tolerance_s } = source
    let secret: string
    try {
      secret = secretOf(source, this.#parts.configDir)
    } catch (error) {
      this.#parts.log.error('inbound', `${name}: ${messageOf(error)}`)
      return this.#refused(503, name, 'gantry has no secret for this source; see gantry doctor')
    }
    const checked = checkSignature(signature, {
      secret,
      header: (one) => request.headers.get(one),
      headerName: header,
      body,
      now: Date.now(),
      toleranceMs: tolerance_s * 1000,
    })
    if (checked === 'missing')
      return this.#refused(401, name, `${REFUSALS.missing} in ${header || SIGNATURE_HEADER[signature]}`)
    if (checked !== 'ok') return this.#refused(401, name, REFUSALS[checked])
    const payload = jsonIn(body.toString('utf8'))
    if (payload === undefined) return this.#refused(400, name, 'the body is not JSON')
    return this.#store(request.headers, name, source, body, payload)
  }

  async #store(
    headers: Headers,
    name: string,
    source: InboundConfig,
    body: Buffer,
    payload: unknown,
  ): Promise<Response> {
    const usual = USUAL[source.signature]
    const byEvent = source.event_header || source.event_field ? source : usual
    const byId = source.id_header || source.id_field ? source : usual
    const event = found(headers, payload, byEvent.event_header, byEvent.event_field)
    const delivery = found(headers, payload, byId.id_header, byId.id_field)
    const now = Date.now()
    const id = inboundId(name, delivery?.slice(0, MAX_ID_CHARS), body)
    const rawEvent = {
      id,
      at: now,
      receivedAt: now,
      agent: name,
      event: nameOf(event),
      client: { env: {} },
      transport: 'http',
      raw: rawOf(body),
    } as const
    const reply = await new Promise<HookReply | undefined>((resolve) =>
      this.#parts.pipeline.take(rawEvent, resolve),
    )
    if (!reply) return refuse(503, 'the event could not be stored; see gantry doctor', { 'retry-after': '5' })
    return json({ ok: true, id })
  }

  /** Counted for doctor, not logged: a stranger must not be able to fill the log. */
  #refused(status: number, name: string, message: string): Response {
    this.#parts.store.counters.count('inbound', `${name}: ${message}`, Date.now())
    return refuse(status, message)
  }
}

/** Stops at the limit, whatever the sender said the length is. */
async function readBody(request: Request): Promise<Buffer | 'long' | 'slow'> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT_BYTES) return 'long'
  const reader = request.body?.getReader()
  if (!reader) return Buffer.alloc(0)
  const late = Promise.withResolvers<'slow'>()
  const timer = setTimeout(() => late.resolve('slow'), BODY_DEADLINE_MS)
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late.promise])
      if (read === 'slow') return 'slow'
      if (read.done) return Buffer.concat(parts)
      length += read.value.length
      if (length > BODY_LIMIT_BYTES) return 'long'
      parts.push(read.value)
    }
  } catch {
    return 'slow' // it broke off
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
}

function found(headers: Headers, payload: unknown, header = '', field = ''): string | undefined {
  const given = header === '' ? null : headers.get(header)
  if (given !== null && given.trim() !== '') return given.trim()
  if (field === '') return undefined
  let value: unknown = payload
  for (const part of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  const isName = (typeof value === 'string' && value !== '') || typeof value === 'number'
  return isName ? String(value) : undefined
}

/** As names of events are; a sender that gives none still counts. */
function nameOf(text: string | undefined): string {
  return (text ?? '').replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, MAX_NAME_CHARS) || 'Inbound'
}

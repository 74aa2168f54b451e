/** Sends spans with the official OpenTelemetry exporter, as protobuf over HTTP. Loaded by the process that sends, only. */
import http from 'node:http'
import https from 'node:https'
import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { messageOf } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import type { SpanRecord } from './spans.ts'

export interface Target {
  /** With its path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Name of this machine. */
  readonly host: string
}

const TIMEOUT_MS = 10_000
const MS_PER_S = 1_000
const NS_PER_MS = 1_000_000
const SAMPLED = 1
const SUCCESS = 0

/** Another try would be refused as well: the spans themselves are at fault. */
const HOPELESS: ReadonlySet<number> = new Set([400, 413, 415, 422])

type Sent = { readonly ok: true } | { readonly ok: false; readonly why: string; readonly isHopeless: boolean }

export class Exporter {
  readonly #exporter: OTLPTraceExporter
  readonly #resource: ReadableSpan['resource']
  readonly #limitMs: number
  #agent: http.Agent | undefined

  constructor({ url, headers, host }: Target, limitMs = TIMEOUT_MS) {
    this.#limitMs = limitMs
    this.#exporter = new OTLPTraceExporter({
      url,
      headers: { ...headers },
      timeoutMillis: limitMs,
      httpAgentOptions: (protocol) => {
        this.#agent = new (protocol === 'https:' ? https : http).Agent({ keepAlive: true })
        return this.#agent
      },
    })
    this.#resource = resourceFromAttributes({
      'service.name': 'gantry',
      'service.version': VERSION,
      'host.name': host,
    })
  }

  send(spans: readonly SpanRecord[]): Promise<Sent> {
    if (spans.length === 0) return Promise.resolve({ ok: true })
    const all = spans.map((span) => readable(span, this.#resource))
    const wholeMs = 2 * this.#limitMs
    return new Promise((resolve) => {
      // Its own limit, within which it also tries again, begins anew with every byte: an answer that drips would never end.
      const timer = setTimeout(() => {
        this.#agent?.destroy()
        resolve({ ok: false, why: `no whole answer within ${wholeMs} ms`, isHopeless: false })
      }, wholeMs)
      this.#exporter.export(all, ({ code, error }) => {
        clearTimeout(timer)
        if (code === SUCCESS) return resolve({ ok: true })
        const status = (error as { code?: unknown } | undefined)?.code
        const said = typeof status === 'number' ? `HTTP ${status}: ` : ''
        const why = `${said}${messageOf(error)}`
        resolve({ ok: false, why, isHopeless: typeof status === 'number' && HOPELESS.has(status) })
      })
    })
  }

  close(): Promise<void> {
    return this.#exporter.shutdown()
  }
}

function readable(span: SpanRecord, resource: ReadableSpan['resource']): ReadableSpan {
  const { traceId, spanId, parentId, name, from, to, attributes, error } = span
  const context = (id: string) => ({ traceId, spanId: id, traceFlags: SAMPLED })
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context(spanId),
    ...(parentId === undefined ? {} : { parentSpanContext: context(parentId) }),
    startTime: timeOf(from),
    endTime: timeOf(to),
    duration: timeOf(to - from),
    status:
      error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: error === undefined ? attributes : { ...attributes, 'error.type': error },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'gantry', version: VERSION },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function timeOf(ms: number): HrTime {
  const whole = Math.max(0, Math.floor(ms / MS_PER_S))
  return [whole, Math.round((ms - whole * MS_PER_S) * NS_PER_MS)]
}

/**
 * A server on loopback in the place of an OpenTelemetry collector: it reads what comes with the official protobuf definitions,
 * and answers as the test says.
 */
import root from 'otlp-protos/build/src/generated/root.js'

export interface Attribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}
export interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status?: { readonly code?: number; readonly message?: string }
}
export interface Got {
  readonly headers: Headers
  readonly path: string
  readonly resource: Record<string, unknown>
  readonly spans: readonly WireSpan[]
}

/** The definitions have no types of their own here. */
interface Definitions {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: {
          readonly v1: {
            readonly ExportTraceServiceRequest: {
              decode(bytes: Uint8Array): unknown
              toObject(
                message: unknown,
                options: object,
              ): {
                resourceSpans?: {
                  resource: { attributes: Attribute[] }
                  scopeSpans: { spans: WireSpan[] }[]
                }[]
              }
            }
          }
        }
      }
    }
  }
}
const { ExportTraceServiceRequest } = (root as unknown as Definitions).opentelemetry.proto.collector.trace.v1
const hex = (bytes: string) => Buffer.from(bytes, 'base64').toString('hex')

/** Stands in for a collector; `status` is what it answers. */
export class Collector {
  readonly got: Got[] = []
  status = 200
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (this.status !== 200) return new Response('no', { status: this.status })
      const bytes = new Uint8Array(await request.arrayBuffer())
      // decode() is that of the official definitions; a wrong message throws here.
      const message = ExportTraceServiceRequest.decode(bytes)
      const { resourceSpans = [] } = ExportTraceServiceRequest.toObject(message, {
        longs: String,
        bytes: String,
      })
      for (const { resource, scopeSpans } of resourceSpans)
        for (const { spans } of scopeSpans)
          this.got.push({
            headers: request.headers,
            path: new URL(request.url).pathname,
            resource: valuesOf(resource),
            spans: spans.map((span) => ({
              ...span,
              traceId: hex(span.traceId),
              spanId: hex(span.spanId),
              parentSpanId: hex(span.parentSpanId ?? ''),
            })),
          })
      return new Response(new Uint8Array(), { headers: { 'content-type': 'application/x-protobuf' } })
    },
  })

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  get spans(): WireSpan[] {
    return this.got.flatMap(({ spans }) => spans)
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }
}

export function valuesOf({
  attributes,
}: {
  readonly attributes: readonly Attribute[]
}): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value
      return [key, stringValue ?? doubleValue ?? boolValue ?? Number(intValue)]
    }),
  )
}

export function openCollector(): Collector {
  return new Collector()
}

/**
 * Traces in the daemon: a process of its own sends them, while an endpoint is configured. On the hook path this costs one look
 * at a timer, and nothing where it is off.
 *
 *   otlp.apply()        // at the start, and when the configuration changed
 *   otlp.committed()
 */
import { hostname } from 'node:os'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { secretOf } from '../core/files/secret-files.ts'
import type { Log } from '../core/log.ts'
import { type LineProcess, startLineProcess } from '../core/processes/line-process.ts'
import { selfCommand } from '../core/processes/self.ts'
import { backoff } from '../core/time/waits.ts'
import type { Finding } from '../rpc/index.ts'
import type { OtlpConfig } from './config.ts'
import type { FromWorker, ToWorker } from './worker.ts'

interface OtlpParts {
  readonly places: Pick<Places, 'database' | 'otlpMark' | 'config'>
  readonly log: Log
  readonly settings: () => OtlpConfig
  readonly lastSeq: () => number
}

const TELL_MS = 1_000
const END_MS = 500 // to send what is under way; a killed process repeats it
const MAX_PAUSE_MS = 60_000
const TRACES = '/v1/traces'

export class Otlp {
  readonly #parts: OtlpParts
  #applied = ''
  #worker: LineProcess<ToWorker> | undefined
  #tell: ReturnType<typeof setTimeout> | undefined
  #again: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #trouble: string | undefined

  constructor(parts: OtlpParts) {
    this.#parts = parts
  }

  get problem(): string | undefined {
    return this.#trouble
  }

  /** The pid of its process, if it runs. */
  get pid(): number | undefined {
    return this.#worker?.pid
  }

  apply(): void {
    const { endpoint, headers_file } = this.#parts.settings()
    const wanted = endpoint === '' ? '' : JSON.stringify([endpoint, headers_file])
    if (wanted === this.#applied) return
    this.#applied = wanted
    this.#stop()
    this.#trouble = undefined
    if (wanted !== '') this.#start()
  }

  committed(): void {
    if (this.#worker === undefined) return
    this.#tell ??= setTimeout(() => {
      this.#tell = undefined
      this.#worker?.say({ grown: this.#parts.lastSeq() })
    }, TELL_MS)
  }

  findings(): Finding[] {
    if (this.#trouble === undefined) return []
    const fix =
      'Correct endpoint or headers_file under [otlp], or start the collector. Nothing is lost while the journal has it.'
    return [{ level: 'warn', about: 'otlp', message: `traces are not sent: ${this.#trouble}`, fix }]
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#stop()
    if (!worker) return
    const timer = setTimeout(() => worker.kill(), END_MS)
    await worker.exited
    clearTimeout(timer)
  }

  #stop(): void {
    clearTimeout(this.#tell)
    clearTimeout(this.#again)
    this.#tell = undefined
    const worker = this.#worker
    this.#worker = undefined
    worker?.hangUp()
  }

  #start(): void {
    const { places, log, settings, lastSeq } = this.#parts
    try {
      const { endpoint, headers_file } = settings()
      const target = {
        url: urlOf(endpoint),
        headers: headersIn(headers_file, places.config),
        host: hostname(),
      }
      const worker = startLineProcess<ToWorker, FromWorker>(
        [...selfCommand(), 'otlp-worker'],
        {
          heard: (message) => this.#hear(message),
          ended: (how) => {
            if (this.#worker === worker) this.#fail(`its process ended by itself (${how})`)
          },
        },
        ownEnvironment(),
      )
      this.#worker = worker
      worker.say({ open: { database: places.database, mark: places.otlpMark, target } })
      worker.say({ grown: lastSeq() })
      log.info('otlp', `traces go to ${new URL(endpoint).host}`)
    } catch (error) {
      this.#fail(messageOf(error))
    }
  }

  #hear(message: FromWorker): void {
    if ('at' in message) {
      this.#failures = 0
      this.#trouble = undefined
      return
    }
    if (message.trouble !== this.#trouble) this.#parts.log.warn('otlp', message.trouble)
    this.#trouble = message.trouble
  }

  #fail(trouble: string): void {
    this.#worker = undefined
    this.#trouble = trouble
    this.#failures += 1
    this.#parts.log.warn('otlp', trouble)
    clearTimeout(this.#again)
    this.#again = setTimeout(() => this.#start(), backoff(this.#failures, MAX_PAUSE_MS))
  }
}

/** An address without a path is a collector's, which has traces at a path of their own. */
function urlOf(endpoint: string): string {
  const url = new URL(endpoint)
  if (url.pathname === '/') url.pathname = TRACES
  return url.href
}

function headersIn(file: string, configDir: string): Record<string, string> {
  if (file === '') return {}
  const lines = secretOf({ secret: '', secret_file: file }, configDir).split('\n')
  const pairs = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    pairs.map((line, at) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.+)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new Error(`line ${at + 1} of headers_file is not "Name: value"`)
      return [name, value]
    }),
  )
}

/** The exporter would obey variables of OpenTelemetry; gantry.toml alone says where traces go. */
function ownEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_')))
}

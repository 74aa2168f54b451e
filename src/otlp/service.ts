/**
 * Traces in the daemon: a process of its own sends them, while an endpoint is configured. On the hook path this costs one look
 * at a timer, and nothing where it is off.
 *
 *   otlp.apply()        // at the start, and when the configuration changed
 *   otlp.committed()
 */
import { hostname } from 'node:os'
import type { Places } from '../core/files/paths.ts'
import { secretOf } from '../core/files/secret-files.ts'
import type { Log } from '../core/log.ts'
import { LineProcess } from '../core/processes/line-process.ts'
import { selfCommand } from '../core/processes/self.ts'
import { Alarm } from '../core/time/alarm.ts'
import { backoff } from '../core/time/waits.ts'
import type { Finding } from '../rpc/index.ts'
import type { OtlpConfig } from './config.ts'
import type { FromWorker, ToWorker, WorkerPlaces } from './worker.ts'

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
  readonly #worker = new LineProcess<ToWorker, FromWorker>({
    argv: [...selfCommand(), 'otlp-worker'],
    env: ownEnvironment(),
    open: () => ({ open: this.#places() }),
    heard: (message) => this.#hear(message),
    failed: (why) => this.#fail(why),
  })
  readonly #next = new Alarm(() => this.#tell())
  #failures = 0
  #trouble: string | undefined

  constructor(parts: OtlpParts) {
    this.#parts = parts
  }

  apply(): void {
    const { endpoint, headers_file } = this.#parts.settings()
    const wanted = endpoint === '' ? '' : JSON.stringify([endpoint, headers_file])
    if (wanted === this.#applied) return
    this.#applied = wanted
    this.#next.clear()
    this.#worker.hangUp()
    this.#trouble = undefined
    if (wanted !== '') this.#tell()
  }

  committed(): void {
    if (this.#worker.pid !== undefined) this.#next.within(TELL_MS)
  }

  findings(): Finding[] {
    if (this.#trouble === undefined) return []
    const fix =
      'Correct endpoint or headers_file under [otlp], or start the collector. Nothing is lost while the journal has it.'
    return [{ level: 'warn', about: 'otlp', message: `traces are not sent: ${this.#trouble}`, fix }]
  }

  async close(): Promise<void> {
    this.#next.clear()
    await this.#worker.end(END_MS)
  }

  #tell(): void {
    this.#worker.say({ grown: this.#parts.lastSeq() })
  }

  #places(): WorkerPlaces {
    const { places, log, settings } = this.#parts
    const { endpoint, headers_file } = settings()
    const target = { url: urlOf(endpoint), headers: headersIn(headers_file, places.config), host: hostname() }
    log.info('otlp', `traces go to ${new URL(endpoint).host}`)
    return { database: places.database, mark: places.otlpMark, target }
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
    this.#trouble = trouble
    this.#failures += 1
    this.#parts.log.warn('otlp', trouble)
    this.#next.reset(backoff(this.#failures, MAX_PAUSE_MS))
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

/**
 * Runs the bus on NATS by one plan: our own server if needed, the connection, the outbox, and nats-info.json. Imports
 * the NATS packages, so it is loaded only if a plan needs them.
 */
import type { NatsInfo, NatsStatus } from '../rpc/index.ts'
import type { FollowerStore, OutboxTarget } from '../store/index.ts'
import type { NatsAuth } from './nats/address.ts'
import { InfoFiles, natsInfo } from './nats/info.ts'
import { type Connection, type Endpoint, NatsLink, type OnConnection } from './nats/link.ts'
import type { NatsPlan } from './nats/options.ts'
import { type BusLog, type BusProblem, distinct, isRefusedLogin, isSilence } from './nats/problem.ts'
import { NatsServer } from './nats/server.ts'
import { serverFiles } from './nats/server-config.ts'
import { diskFull, hasRoom, removeOldLogs } from './nats/server-process.ts'
import { Outbox } from './outbox/index.ts'
import type { Streams } from './streams/index.ts'

type ActivePlan = Exclude<NatsPlan, { mode: 'off' }>

export interface NatsRunParts {
  readonly store: FollowerStore
  readonly sources: Streams
  readonly log: BusLog
  /** Folder of the server that gantry runs. */
  readonly dir: string
  readonly infoFile: string
  readonly beadsDir: string | undefined
  /** The token of the server that gantry runs, generated once. */
  readonly token: () => string
  readonly listeners: ReadonlySet<OnConnection>
  /** Called with the number of sent messages when none is left. */
  readonly rested: (count: number) => void
}

const STOP_GRACE_MS = 1_500 // the outbox takes up to a second for the rest
const SILENCES = 2 // in a row, after which our own hanging server is restarted
const SILENCE_WINDOW_MS = 60_000
const TIDY_EVERY_MS = 3_600_000

export class NatsRun {
  readonly #plan: ActivePlan
  readonly #parts: NatsRunParts
  readonly #server: NatsServer | undefined
  readonly #outbox: Outbox
  readonly #link: NatsLink
  readonly #files: InfoFiles
  readonly #auth: NatsAuth
  readonly #tidy: ReturnType<typeof setInterval> | undefined
  #info: NatsInfo | undefined
  #silences: number[] = []

  constructor(plan: ActivePlan, parts: NatsRunParts) {
    const { store, sources, log, dir } = parts
    this.#plan = plan
    this.#parts = parts
    this.#files = new InfoFiles(parts.infoFile, parts.beadsDir, dir, log)
    if (plan.mode === 'managed') {
      const token = plan.token ?? parts.token()
      this.#auth = { kind: 'token', token }
      const { executable, port, leaf } = plan
      this.#server = new NatsServer({ executable, port, token, dir, leaf, log })
      this.#tidy = setInterval(() => removeOldLogs(serverFiles(dir).log), TIDY_EVERY_MS)
    } else this.#auth = plan.auth
    this.#outbox = new Outbox({
      store,
      sources,
      form: plan.form,
      log,
      room: () => {
        if (this.#server && !hasRoom(dir)) throw diskFull(dir)
      },
      failed: (error) => void this.#noteSilence(error),
      rested: parts.rested,
    })
    this.#link = new NatsLink({
      endpoint: () => this.#endpoint(),
      use: (connection, server) => this.#use(connection, server),
      failed: async (error) => {
        // A file left by a killed daemon names a server that is gone or has another token.
        if (this.#info === undefined) this.#files.remove()
        // It was started with another token; the restarted one reads ours from its file.
        if (isRefusedLogin(error)) await this.#server?.end()
      },
      name: `gantry on ${plan.form.host}`,
      log,
    })
  }

  get info(): NatsInfo | undefined {
    return this.#info
  }

  start(): void {
    this.#link.start()
  }

  async stop(): Promise<void> {
    clearInterval(this.#tidy)
    await this.#link.stop(STOP_GRACE_MS)
    this.#outbox.close()
    this.#files.remove()
    await this.#server?.stop()
  }

  /** Writes nats-info.json again after somebody removed it. */
  writeInfoFile(): void {
    if (this.#info) this.#files.write(this.#info)
  }

  /** Dead letters were requeued. */
  requeued(): void {
    this.#outbox.requeued()
  }

  /** Asks the server again. */
  refresh(): Promise<void> {
    return this.#outbox.refresh()
  }

  status(now = Date.now()): NatsStatus {
    const { connected, server, version, problem } = this.#link.status()
    return {
      mode: this.#plan.mode,
      why: null,
      connected,
      url: server ? `nats://${server}` : this.#plannedUrl(),
      serverVersion: version ?? null,
      serverPid: this.#server?.pid ?? null,
      problem: problem?.message ?? null,
      streams: this.#outbox.status(now),
    }
  }

  /** Without a connection, that is the problem of every stream. */
  targets(): OutboxTarget[] {
    const { connected, problem, failures, nextAttemptAt } = this.#link.status()
    const targets = this.#outbox.targets()
    if (connected) return targets
    const away = {
      attempts: failures,
      nextAttemptAt: nextAttemptAt ?? null,
      lastError: problem?.message ?? null,
    }
    return targets.map((one) => ({ ...one, ...away }))
  }

  problems(now = Date.now()): BusProblem[] {
    const { connected, problem } = this.#link.status()
    const crashes = this.#server?.problem(now)
    return distinct([
      ...(connected || !problem ? [] : [problem]),
      ...(crashes ? [crashes] : []),
      ...this.#outbox.problems(now),
    ])
  }

  async #endpoint(): Promise<Endpoint> {
    const plan = this.#plan
    if (plan.mode === 'external') {
      const url = plan.servers.map((server) => `nats://${server}`).join(',')
      return {
        servers: plan.servers,
        auth: plan.auth,
        tls: plan.tls,
        where: { url, managed: false, log: '' },
      }
    }
    const server = `127.0.0.1:${await this.#server?.ensure()}`
    const log = this.#server?.files.log ?? ''
    return {
      servers: [server],
      auth: this.#auth,
      tls: undefined,
      where: { url: `nats://${server}`, managed: true, log },
    }
  }

  async #use(connection: Connection, server: string): Promise<void> {
    this.#info = natsInfo(server, this.#auth.kind === 'token' ? this.#auth.token : '')
    this.#files.write(this.#info)
    for (const onConnection of this.#parts.listeners) onConnection(connection)
    await this.#outbox.run(connection)
  }

  /** After a failed write, our server answers nobody any more and does not end by itself. */
  async #noteSilence(error: unknown): Promise<void> {
    if (!this.#server || !isSilence(error)) return
    const now = Date.now()
    this.#silences = [...this.#silences.filter((at) => now - at < SILENCE_WINDOW_MS), now]
    if (this.#silences.length < SILENCES) return
    this.#silences = []
    this.#parts.log.warn('nats', 'nats-server does not answer; it is started again')
    await this.#server.end()
    this.#link.drop()
  }

  #plannedUrl(): string | null {
    return this.#plan.mode === 'external' ? `nats://${this.#plan.servers[0] ?? ''}` : null
  }
}

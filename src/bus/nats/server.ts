/**
 * The nats-server that gantry runs: started, adopted if a killed daemon left it running, restarted when it dies, ended
 * with the daemon. It listens on loopback only, with a token in a private file that never appears on a command line.
 *
 *   const server = new NatsServer({ executable, port: 4222, token, dir, log })
 *   await server.ensure()    // its port, once it answers
 *   await server.stop()
 */
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import type { Subprocess } from 'bun'
import { until } from '../../core/time/waits.ts'
import { type LeafPlan, leafLines } from './leaf.ts'
import { BusError, type BusLog, type BusProblem } from './problem.ts'
import {
  configText,
  isTooOld,
  newServerName,
  OLDEST_SERVER,
  readConfig,
  type ServerConfig,
  type ServerFiles,
  serverFiles,
} from './server-config.ts'
import {
  diskFull,
  freePort,
  greeting,
  hasRoom,
  lastWords,
  pidIn,
  removeOldLogs,
  runsWith,
  STOP_DEADLINE_MS,
  serverVersion,
  textOf,
} from './server-process.ts'

interface NatsServerOptions {
  readonly executable: string
  /** The preferred port; 0 takes any. */
  readonly port: number
  readonly token: string
  readonly dir: string
  /** Set if it is a leaf node of a hub. */
  readonly leaf?: LeafPlan | undefined
  readonly log: BusLog
}

const START_DEADLINE_MS = 15_000 // it reads its whole store first
const LOOK_EVERY_MS = 20 // polling: a process does not announce that it listens
const CRASH_WINDOW_MS = 10 * 60_000
const CRASHES = 3 // within that time: no longer an accident

export class NatsServer {
  readonly #options: NatsServerOptions
  readonly #files: ServerFiles
  #config: ServerConfig | undefined
  #pid: number | undefined
  #child: Subprocess | undefined
  /** Times of unexpected exits. */
  #crashes: number[] = []
  #stopping = false
  #isOver = false

  constructor(options: NatsServerOptions) {
    this.#options = options
    this.#files = serverFiles(options.dir)
  }

  get files(): ServerFiles {
    return this.#files
  }

  get pid(): number | undefined {
    return this.#pid
  }

  /** The port of a running server; starts one if there is none. */
  async ensure(): Promise<number> {
    if (this.#config && (await this.#isAlive())) return this.#config.port
    this.#pid = undefined
    mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 })
    chmodSync(this.#options.dir, 0o700)
    removeOldLogs(this.#files.log)
    const adopted = await this.#adopt()
    if (adopted !== undefined) return adopted
    const version = await serverVersion(this.#options.executable)
    if (isTooOld(version)) {
      throw new BusError(
        `${this.#options.executable} is version ${version}; gantry needs ${OLDEST_SERVER} or newer`,
        'Upgrade it, or set nats.server in gantry.toml to another one.',
      )
    }
    if (!hasRoom(this.#options.dir)) throw diskFull(this.#options.dir)
    return this.#start(await this.#choosePort(), version)
  }

  /** Ends it, so that the next `ensure` starts another. */
  async end(): Promise<void> {
    this.#stopping = true
    const pid = this.#pid
    if (pid !== undefined && (await this.#isAlive())) {
      process.kill(pid, 'SIGTERM')
      if (!(await this.#gone(STOP_DEADLINE_MS)) && (await this.#isAlive())) {
        this.#options.log.warn('nats', `nats-server (pid ${pid}) does not stop; killing it`)
        process.kill(pid, 'SIGKILL')
        await this.#gone(STOP_DEADLINE_MS)
      }
    }
    this.#pid = undefined
    this.#child = undefined
    this.#stopping = false
  }

  /** Ends it for good, even while it is starting. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.end()
    rmSync(this.#files.pid, { force: true })
  }

  problem(now = Date.now()): BusProblem | undefined {
    const lately = this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS)
    if (lately.length < CRASHES) return undefined
    const words = lastWords(this.#files.output, this.#files.log)
    return {
      level: 'fail',
      message: `nats-server ended ${lately.length} times in ten minutes; its last output: ${words}`,
      fix: `See ${this.#files.log}.`,
    }
  }

  /** Adopts a server that a killed daemon left: it was started with our file and answers with our name. */
  async #adopt(): Promise<number | undefined> {
    const { token, dir, port: wanted, log } = this.#options
    const pid = pidIn(this.#files.pid)
    if (pid === undefined || !(await runsWith(pid, this.#files.config))) return undefined
    this.#pid = pid
    this.#child = undefined
    const text = textOf(this.#files.config)
    const known = readConfig(text)
    const isSame = known && configText({ ...known, wanted, token, dir, leaf: this.#leaf() }) === text
    const answer = isSame ? await greeting(known.port) : undefined
    if (known && answer?.server_name === known.name) {
      this.#config = { ...known, token, dir }
      log.info('nats', `nats-server ${answer.version} (pid ${pid}) on port ${known.port} was still running`)
      return known.port
    }
    log.warn(
      'nats',
      `nats-server (pid ${pid}) of an earlier start ${isSame ? 'does not answer' : 'has other settings'}; it is ended`,
    )
    await this.end()
    return undefined
  }

  async #start(port: number, version: string): Promise<number> {
    const { executable, token, dir, port: wanted, log } = this.#options
    const name = this.#config?.name ?? readConfig(textOf(this.#files.config))?.name ?? newServerName()
    if (this.#isOver) throw new BusError('nats-server is not started any more', 'gantry stops.')
    const config = { name, port, wanted, token, dir, leaf: this.#leaf() }
    this.#config = config
    rmSync(this.#files.config, { force: true })
    writeFileSync(this.#files.config, configText(config), { mode: 0o600, flag: 'wx' })
    rmSync(this.#files.pid, { force: true })
    const output = openSync(this.#files.output, 'w', 0o600)
    const child = Bun.spawn([executable, '-c', this.#files.config], {
      cwd: dir,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? dir },
      stdin: 'ignore',
      stdout: output,
      stderr: output,
      detached: true, // keys pressed in the daemon's terminal are not for it, and it outlives a killed daemon
    })
    closeSync(output)
    child.unref()
    this.#child = child
    this.#pid = child.pid
    void child.exited.then((code) => this.#ended(child, code))
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    const answers = async () => (await greeting(port))?.server_name === name
    if (!(await until(async () => hasEnded() || (await answers()), START_DEADLINE_MS, LOOK_EVERY_MS))) {
      await this.end()
      throw this.#failed('did not answer in time')
    }
    if (hasEnded()) throw this.#failed('ended at once')
    log.info('nats', `nats-server ${version} (pid ${child.pid}) listens on port ${port}`)
    return port
  }

  #leaf(): ServerConfig['leaf'] {
    const { leaf } = this.#options
    return leaf && { domain: leaf.domain, lines: leafLines(leaf) }
  }

  #failed(what: string): BusError {
    const words = lastWords(this.#files.output, this.#files.log)
    const fix = /no space left/i.test(words)
      ? 'Free disk space; gantry starts it again by itself.'
      : `See ${this.#files.log}; gantry tries again by itself.`
    return new BusError(`nats-server ${what}: ${words}`, fix)
  }

  #ended(child: Subprocess, code: number): void {
    if (this.#child !== child || this.#stopping) return
    this.#crashes = [...this.#crashes.slice(-CRASHES * 4), Date.now()]
    this.#options.log.warn('nats', `nats-server (pid ${child.pid}) ended with ${child.signalCode ?? code}`)
  }

  /** The configured port, else the last one, else any free one. */
  async #choosePort(): Promise<number> {
    const { port: wanted, log } = this.#options
    const had = this.#config?.port ?? readConfig(textOf(this.#files.config))?.port ?? 0
    const preferred = this.#config ? [had, wanted] : [wanted, had]
    for (const port of preferred.filter((one) => one > 0)) {
      const free = await freePort(port)
      if (free !== undefined) return free
      if (port === wanted) log.info('nats', `port ${port} is taken; nats-server gets another one`)
    }
    const any = await freePort(0)
    if (any !== undefined) return any
    throw new BusError(
      'there is no free port for nats-server',
      'Close some connections; gantry tries again by itself.',
    )
  }

  async #isAlive(): Promise<boolean> {
    if (this.#child) return this.#child.exitCode === null && this.#child.signalCode === null
    return this.#pid !== undefined && (await runsWith(this.#pid, this.#files.config))
  }

  async #gone(deadlineMs: number): Promise<boolean> {
    return until(async () => !(await this.#isAlive()), deadlineMs, LOOK_EVERY_MS)
  }
}

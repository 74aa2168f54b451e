/** Agents that start the real hook client for each of their hooks, and wait for it as agents do. */
import type { Places } from '../../../src/core/files/paths.ts'
import { envFor, HOOK } from '../../kit.ts'
import type { Ledger } from '../ledger.ts'
import type { Hook } from './agent.ts'

const KILL_WITHIN_MS = 4 // what a client takes with a daemon; without one it spools for as long
const LOST = 'this event is lost'

export interface HookClientsOptions {
  readonly at: Places
  readonly ledger: Ledger
  readonly random: () => number
  /** Of the machine's clock, and whether a hook may start the daemon. */
  readonly env: () => Record<string, string>
  readonly thinkMs: number
}

export class HookClients {
  /** Latencies from start to end since the last look. */
  latencies: number[] = []
  killed = 0
  #toKill = 0
  #isOver = false
  #options: HookClientsOptions
  #agents: Promise<void>[]

  constructor(options: HookClientsOptions, agents: readonly Generator<Hook, never>[]) {
    this.#options = options
    this.#agents = agents.map((agent) => this.#work(agent))
  }

  /** One of the next clients dies by SIGKILL, at a random moment of its life. */
  killOne(): void {
    this.#toKill += 1
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#agents)
  }

  async #work(agent: Generator<Hook, never>): Promise<void> {
    const { random, thinkMs } = this.#options
    while (!this.#isOver) {
      await Bun.sleep(random() * 2 * thinkMs)
      await this.#run(agent.next().value)
    }
  }

  async #run({ type, mark, payload, root, isDenied }: Hook): Promise<void> {
    const { at, ledger, random, env } = this.#options
    const began = performance.now()
    const child = Bun.spawn([HOOK, 'claude', type], {
      cwd: root,
      env: envFor(at, env()),
      stdin: Buffer.from(payload),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const isVictim = this.#toKill > 0
    if (isVictim) {
      this.#toKill -= 1
      setTimeout(() => child.kill('SIGKILL'), random() * KILL_WITHIN_MS)
    }
    const [stdout, stderr, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (child.signalCode === 'SIGKILL') {
      this.killed += 1
      ledger.unsure.add(mark)
      return
    }
    if (isVictim) this.#toKill += 1 // it was quicker
    this.latencies.push(performance.now() - began)
    ledger[stderr.includes(LOST) ? 'refused' : 'sent'].add(mark)
    if (isDenied) ledger.denials.wanted += 1
    const said = saidIn(stdout)
    if (isDenied && said === 'deny') ledger.denials.given += 1
    else if (exit !== 0 || said !== '') ledger.harmed.push(`${mark} ${type}: ${exit} ${stdout} ${stderr}`)
  }
}

/** The decision in the words of Claude Code; empty if there is none. */
function saidIn(stdout: string): string {
  if (stdout.trim() === '') return ''
  try {
    const { hookSpecificOutput: own } = JSON.parse(stdout) as {
      hookSpecificOutput?: { permissionDecision?: string }
    }
    return own?.permissionDecision ?? 'something'
  } catch {
    return 'something'
  }
}

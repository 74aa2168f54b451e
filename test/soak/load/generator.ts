/**
 * The larger part of the load: many agents, whose hooks one small C program sends. A hook without a reply is sent again
 * with the same id until it has one, so the daemon has to recognise what it stored before it was killed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { frameOf } from '../../../bench/agents-at-work.ts'
import type { Places } from '../../../src/core/files/paths.ts'
import { processes } from '../../litter.ts'
import type { Ledger } from '../ledger.ts'
import type { Hook } from './agent.ts'

const CLIENTS = 24
const BATCH_SECONDS = 4

export interface GeneratorOptions {
  readonly at: Places
  readonly dir: string
  readonly ledger: Ledger
  readonly aSecond: number
}

export class LoadGenerator {
  /** Latencies of answered hooks in milliseconds since the last look. */
  latencies: number[] = []
  killed = 0
  /** Batches that had no answer for two minutes. */
  givenUp = 0
  #isOver = false
  #child: Subprocess | undefined
  #working: Promise<void>

  constructor(options: GeneratorOptions, agents: readonly Generator<Hook, never>[]) {
    const program = join(options.dir, 'load')
    const source = join(import.meta.dir, '../../../bench/native/load.c')
    const { success, stderr } = Bun.spawnSync(['cc', '-O2', '-o', program, source])
    if (!success) throw new Error(`cc failed on load.c: ${stderr.toString()}`)
    this.#working = this.#work(program, options, agents)
  }

  /** Its clients die with their hooks half sent. */
  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  async #work(
    program: string,
    { at, dir, ledger, aSecond }: GeneratorOptions,
    agents: readonly Generator<Hook, never>[],
  ): Promise<void> {
    const file = join(dir, 'frames')
    const count = Math.round(aSecond * BATCH_SECONDS)
    for (let next = 0; !this.#isOver && count > 0; ) {
      const hooks: Hook[] = []
      while (hooks.length < count) hooks.push(...some(agents[next++ % agents.length]))
      writeFileSync(file, Buffer.concat(hooks.map(frameAt)))
      const args = [at.socket, CLIENTS, count, 0, 1, 0, aSecond, file, 'again'].map(String)
      const child = Bun.spawn([program, ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
      this.#child = child
      processes.add(child)
      const said = await new Response(child.stdout).text()
      const isDone = (await child.exited) === 0
      processes.delete(child)
      if (child.signalCode === 'SIGKILL') this.killed += 1
      else if (!isDone) this.givenUp += 1
      const [, ...us] = said.trim().split('\n').map(Number)
      if (isDone) this.latencies.push(...us.map((one) => one / 1000))
      for (const { mark } of hooks) ledger[isDone ? 'sent' : 'unsure'].add(mark)
    }
  }
}

function some(agent: Generator<Hook, never> | undefined): Hook[] {
  return agent ? [agent.next().value] : []
}

function frameAt({ type, mark, payload, root }: Hook): Buffer {
  return frameOf(type, Buffer.from(payload), mark, Date.now(), root)
}

/** A home for gantry that is thrown away, and an opencode that is none, under Bun or under Node. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { within } from '../../src/core/time/waits.ts'
import { type ClientMessage, FrameReader } from '../../src/ingest/frames.ts'

export const PLUGIN = join(import.meta.dir, '../../src/agents/opencode/plugin.js')
const DRIVER = join(import.meta.dir, 'driver.mjs')

export interface Called {
  readonly id: number
  readonly ms: number
  readonly args: Record<string, unknown>[]
  readonly error?: string
}

export type Frame = Extract<ClientMessage, { kind: 'hook' }>

export function makeBox(): Box {
  return new Box(mkdtempSync(join(tmpdir(), 'gantry-opencode-')))
}

class Box implements Disposable {
  readonly socket: string
  readonly spool: string

  constructor(readonly home: string) {
    mkdirSync(join(home, 'run'), { mode: 0o700 })
    this.socket = join(home, 'run/gantry.sock')
    this.spool = join(home, 'state/spool')
  }

  /** Frames that wait, in the order they were born. */
  spooled(folder = this.spool): Frame[] {
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.tmp-'))
      .sort()
      .map((name) => {
        const path = join(folder, name)
        const [frame, ...more] = new FrameReader().push(readFileSync(path))
        const mode = (statSync(path).mode & 0o777).toString(8)
        if (frame?.kind !== 'hook' || more.length > 0 || mode !== '600' || !name.endsWith('.frame'))
          throw new Error(`not a frame: ${name} ${mode} ${frame?.kind}`)
        return frame
      })
  }

  share(): void {
    chmodSync(join(this.home, 'run'), 0o777)
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

export type { Box }

export class Opencode implements AsyncDisposable {
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'inherit'>
  readonly #waiting = new Map<number, (called: Called) => void>()
  readonly ready: Promise<{ exports: string[]; hooks: string[] }>
  #calls = 0

  constructor(runtime: string, env: Record<string, string>, plugin = PLUGIN) {
    const PATH = process.env.PATH ?? ''
    this.#child = Bun.spawn([runtime, DRIVER, plugin], {
      env: { PATH, ...env },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const ready = Promise.withResolvers<{ exports: string[]; hooks: string[] }>()
    this.ready = ready.promise
    void this.#listen(ready.resolve)
    void this.#child.exited.then((code) => ready.reject(new Error(`opencode's stand-in ended with ${code}`)))
    this.ready.catch(() => {})
  }

  get pid(): number {
    return this.#child.pid
  }

  /** Calls a hook and waits for it, as opencode does. */
  call(hook: string, ...args: object[]): Promise<Called> {
    return this.#send({ hook, args })
  }

  /** The same, without what became of arguments that are large. */
  tell(hook: string, ...args: object[]): Promise<Called> {
    return this.#send({ hook, args, mute: true })
  }

  /** Events of the bus, for which opencode does not wait. */
  emit(...events: object[]): Promise<Called> {
    return this.#send({ hook: 'event', args: [], times: events.map((event) => ({ event })) })
  }

  /** One event of the bus, after which opencode does nothing else for so long. `args[0].at` is when it came. */
  stall(event: object, ms: number): Promise<Called> {
    return this.#send({ hook: 'event', args: [], times: [{ event }], stallMs: ms })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end()
    await within(this.#child.exited, 500)
    this.#child.kill('SIGKILL')
    await this.#child.exited
  }

  #send(message: object): Promise<Called> {
    const id = ++this.#calls
    const called = new Promise<Called>((resolve) => this.#waiting.set(id, resolve))
    this.#child.stdin.write(`${JSON.stringify({ id, ...message })}\n`)
    this.#child.stdin.flush()
    return called
  }

  async #listen(ready: (message: { exports: string[]; hooks: string[] }) => void): Promise<void> {
    let rest = ''
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const message = JSON.parse(line)
        if (message.id === undefined) ready(message)
        else this.#waiting.get(message.id)?.(message)
      }
    }
  }
}

/** Waits for something that happens soon, without saying how soon. */
export async function until(what: () => boolean, limitMs = 30_000): Promise<void> {
  const end = Date.now() + limitMs
  while (!what()) {
    if (Date.now() > end) throw new Error(`did not happen in ${limitMs} ms: ${what}`)
    await Bun.sleep(5)
  }
}

/**
 * A process beside the daemon that is told and tells JSON, one message a line. It starts when it is told something. Its
 * failures never throw in the daemon.
 *
 *   const worker = new LineProcess<ToWorker, FromWorker>({ argv, open, heard, failed })
 *   worker.say({ grown: 1700 })
 */
import { messageOf } from '../errors.ts'
import { linesOf } from '../text/line-cutter.ts'
import { within } from '../time/waits.ts'

interface LineProcessParts<To, From> {
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What each is told first; if this throws, none is started. */
  readonly open: () => To
  readonly heard: (message: From) => void
  /** It could not be started, or ended by itself. */
  readonly failed: (why: string) => void
}

type Child = Bun.Subprocess<'pipe', 'pipe', 'ignore'>

const HANG_UP_MS = 10_000 // far longer than any message takes
const MAX_LINE_BYTES = 64 * 1024 * 1024 // far above any answer; the rest of a longer line is dropped

export class LineProcess<To, From> {
  readonly #parts: LineProcessParts<To, From>
  /** The one that was not let go. */
  #child: Child | undefined

  constructor(parts: LineProcessParts<To, From>) {
    this.#parts = parts
  }

  /** Undefined if it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  say(message: To): void {
    if (this.#child === undefined) this.#start()
    if (this.#child) tell(this.#child, message)
  }

  /** Closes its stdin; it ends after the last message, or is killed if it does not hear that. */
  hangUp(): void {
    const child = this.#child
    this.#child = undefined
    if (!child) return
    quietly(() => child.stdin.end())
    const late = setTimeout(() => child.kill('SIGKILL'), HANG_UP_MS)
    late.unref()
    void child.exited.then(() => clearTimeout(late))
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  /** Resolves when it has ended: after the last message, or killed after this time. */
  async end(ms: number): Promise<void> {
    const child = this.#child
    this.hangUp()
    if (!child) return
    await within(child.exited, ms)
    child.kill('SIGKILL')
    await child.exited
  }

  #start(): void {
    const { argv, env = process.env, open, failed } = this.#parts
    try {
      const first = open()
      this.#child = Bun.spawn([...argv], { cwd: '/', env, stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
      tell(this.#child, first)
      void this.#listen(this.#child)
    } catch (error) {
      failed(messageOf(error))
    }
  }

  async #listen(child: Child): Promise<void> {
    const { heard, failed } = this.#parts
    try {
      for await (const line of linesOf(child.stdout, { maxBytes: MAX_LINE_BYTES }))
        heard(JSON.parse(line) as From)
    } catch {
      child.kill('SIGKILL') // invalid output
    }
    await child.exited
    if (this.#child !== child) return
    this.#child = undefined
    failed(`its process ended by itself (${child.signalCode ?? child.exitCode})`)
  }
}

function tell(child: Child, message: unknown): void {
  quietly(
    () => child.stdin.write(`${JSON.stringify(message)}\n`),
    () => child.stdin.flush(),
  )
}

/** An ended process takes no more input; `failed` reports that. */
function quietly(...acts: (() => unknown)[]): void {
  try {
    for (const act of acts) Promise.resolve(act()).catch(() => {})
  } catch {
    // as above
  }
}

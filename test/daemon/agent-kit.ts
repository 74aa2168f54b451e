/**
 * A program that runs hooks as an agent does, by a shell of its own for each, through the real hook client.
 *
 *   await using agent = await startAgent(home, 'gemini')
 *   await agent.hook('BeforeAgent', { session_id: 's1', prompt: 'go' })
 */
import { connect } from 'node:net'
import type { Places } from '../../src/core/files/paths.ts'
import { envFor, frame, HOOK } from '../kit.ts'
import { processes } from '../litter.ts'

export interface FakeAgent extends AsyncDisposable {
  readonly pid: number
  /** One hook, to the end of its shell. */
  hook(event: string, payload: object): Promise<void>
  /** A tool: a command line in bash, which is begun and not waited for. */
  run(line: string): Promise<void>
  kill(): Promise<void>
}

export interface AgentOptions {
  /** Around the hook client, whose command line takes the place of `"$@"`. */
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  /** The agent sends its hooks itself, as opencode's plugin does. */
  readonly within?: boolean
  /** Before the agent's own command line. */
  readonly under?: readonly string[]
  /** The agent has a terminal, as where a person sits before it. */
  readonly terminal?: boolean
}

/** Agents run hooks by a shell that stays until the hook has ended: the second command keeps it from being replaced. */
const SHELL = '"$@"; true'

export async function startAgent(
  at: Places,
  name: string,
  { shell = SHELL, env = {}, within = false, under = [], terminal = false }: AgentOptions = {},
): Promise<FakeAgent> {
  const argv = [process.execPath, import.meta.path, name, shell, at.socket, within ? 'within' : '']
  const around = envFor(at, { GANTRY_NO_AUTOSTART: '1', ...env })
  const { child, lines, write } = (terminal ? inTerminal : byPipes)([...under, ...argv], around)
  processes.add(child)
  await lines.next() // it is there
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
    processes.delete(child)
  }
  const tell = async (task: Task) => {
    write(`${JSON.stringify(task)}\n`)
    await lines.next()
  }
  return {
    pid: child.pid,
    hook: (event, payload) => tell({ event, payload }),
    run: (line) => tell({ line }),
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

type Task = { readonly event: string; readonly payload: object } | { readonly line: string }

function byPipes(argv: readonly string[], env: Record<string, string>) {
  const child = Bun.spawn([...argv], { env, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const write = (text: string) => {
    child.stdin.write(text)
    child.stdin.flush()
  }
  return { child, lines: linesOf(child.stdout), write }
}

/** What it reads is echoed among what it says. */
function inTerminal(argv: readonly string[], env: Record<string, string>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const terminal = {
    cols: 200,
    rows: 24,
    data: (_: unknown, bytes: Uint8Array) => void writer.write(bytes.slice()),
  }
  const child = Bun.spawn([...argv], { env, terminal })
  return { child, lines: saidIn(linesOf(readable)), write: (text: string) => child.terminal?.write(text) }
}

async function* saidIn(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (/^(ready|done)\r?$/.test(line)) yield line
}

async function* linesOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stdout) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

if (import.meta.main) {
  const [name = '', shell = '', socket = '', within = ''] = process.argv.slice(2)
  const runHook = async (event: string, payload: object) => {
    const text = JSON.stringify({ hook_event_name: event, ...payload })
    if (within) return sendItself(socket, name, event, text)
    const argv = ['bash', '-c', shell, 'bash', HOOK, name, event]
    await Bun.spawn(argv, { stdin: Buffer.from(text), stdout: 'ignore', stderr: 'inherit' }).exited
  }
  console.log('ready')
  for await (const line of console) {
    if (line === '') break
    const task = JSON.parse(line) as Task
    if ('line' in task) Bun.spawn(['bash', '-c', task.line], { stdio: ['ignore', 'ignore', 'ignore'] })
    else await runHook(task.event, task.payload)
    console.log('done')
  }
}

function sendItself(path: string, agent: string, event: string, payload: string): Promise<void> {
  return new Promise((done) => {
    const socket = connect(path, () =>
      socket.write(frame({ agent, event, payload, header: { pid: process.pid } })),
    )
    socket.on('data', () => socket.destroy())
    socket.on('close', () => done())
  })
}

/**
 * A program that runs hooks as an agent does, by a shell of its own for each, through the real hook client.
 *
 *   await using agent = await startAgent(home, 'gemini')
 *   await agent.hook('BeforeAgent', { session_id: 's1', prompt: 'go' })
 */
import { connect } from 'node:net'
import type { Places } from '../../src/places.ts'
import { envFor, frame, HOOK } from '../kit.ts'
import { processes } from '../litter.ts'

export interface FakeAgent extends AsyncDisposable {
  readonly pid: number
  /** One hook, to the end of its shell. */
  hook(event: string, payload: object): Promise<void>
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
}

/** Agents run hooks by a shell that stays until the hook has ended: the second command keeps it from being replaced. */
const SHELL = '"$@"; true'

export async function startAgent(
  at: Places,
  name: string,
  { shell = SHELL, env = {}, within = false, under = [] }: AgentOptions = {},
): Promise<FakeAgent> {
  const argv = [process.execPath, import.meta.path, name, shell, at.socket, within ? 'within' : '']
  const child = Bun.spawn([...under, ...argv], {
    env: envFor(at, { GANTRY_NO_AUTOSTART: '1', ...env }),
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  processes.add(child)
  const lines = linesOf(child.stdout)
  await lines.next() // it is there
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
    processes.delete(child)
  }
  return {
    pid: child.pid,
    hook: async (event, payload) => {
      child.stdin.write(`${JSON.stringify({ event, payload })}\n`)
      child.stdin.flush()
      await lines.next()
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
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
  console.log('ready')
  for await (const line of console) {
    if (line === '') break
    const { event, payload } = JSON.parse(line) as { event: string; payload: object }
    const text = JSON.stringify({ hook_event_name: event, ...payload })
    if (within) await sendItself(socket, name, event, text)
    else {
      const argv = ['bash', '-c', shell, 'bash', HOOK, name, event]
      await Bun.spawn(argv, { stdin: Buffer.from(text), stdout: 'ignore', stderr: 'inherit' }).exited
    }
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

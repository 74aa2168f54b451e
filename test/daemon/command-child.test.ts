/** A command that was allowed is known by the call that its agent names in its environment, whatever it runs as. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gantryJson, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

interface Shown {
  readonly phase: string
  readonly attention: readonly { readonly kind: string }[]
}

const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (name: string, session: string, ppid: number, fields: object = {}) =>
  sendFrame(home, {
    agent: 'codex',
    payload: JSON.stringify({ hook_event_name: name, session_id: session, cwd: '/work', ...fields }),
    header: { ppid },
  })
const session = async (id: string) => (await gantryJson(home, 'session', id, '--json')) as Shown
const phaseOf = (id: string, phase: string) =>
  until(async () => ((await session(id)).phase === phase ? true : undefined), `${id} to be ${phase}`, 10_000)

async function asks(id: string, pid: number, command: string): Promise<void> {
  const call = { tool_name: 'Bash', tool_input: { command } }
  await hook('UserPromptSubmit', id, pid, { prompt: 'go' })
  await hook('PreToolUse', id, pid, { ...call, tool_use_id: `${id}-call` })
  await hook('PermissionRequest', id, pid, call)
  await phaseOf(id, 'blocked')
}

/** Runs one shell line when it is told to. Not a shell itself: those stand between an agent and its hooks. */
function agentProgram() {
  const script = `
    for await (const line of console) Bun.spawn(['bash', '-c', line], { stdio: ['ignore', 'ignore', 'ignore'] })`
  return Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe' })
}

function say(agent: ReturnType<typeof agentProgram>, line: string): void {
  agent.stdin.write(`${line}\n`)
  agent.stdin.flush()
}

test('a shell that was replaced by the last part of its command', async () => {
  await using agent = agentProgram()
  await asks('list', agent.pid, 'cd /tmp && sleep 9')
  say(agent, 'export CODEX_TOOL_CALL_ID=list-call; cd /tmp && exec sleep 9')
  await phaseOf('list', 'working')
})

test('the command of another call is no answer, whatever its line says; nor is a hook', async () => {
  await using agent = agentProgram()
  await asks('other', agent.pid, 'sleep 9')
  say(agent, 'CODEX_TOOL_CALL_ID=another-call exec sleep 9')
  say(agent, 'exec sleep 8')
  await Bun.sleep(500)
  expect((await session('other')).phase).toBe('blocked')
})

test('a dialog that outlives the daemon is seen to be answered, too', async () => {
  await using agent = agentProgram()
  await asks('kept', agent.pid, 'cd /tmp && sleep 9')
  await Bun.sleep(300) // its process is written down
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(home)
  expect((await session('kept')).phase).toBe('blocked')
  say(agent, 'export CODEX_TOOL_CALL_ID=kept-call; cd /tmp && exec sleep 9')
  await phaseOf('kept', 'working')
})

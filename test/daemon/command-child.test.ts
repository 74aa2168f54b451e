/** A command that was allowed is known by the call that its agent names in its environment, whatever it runs as. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gantryJson, makeHome, type RunningDaemon, startDaemon, until } from '../kit.ts'
import { type FakeAgent, startAgent } from './agent-kit.ts'

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

const session = async (id: string) => (await gantryJson(home, 'session', id, '--json')) as Shown
const phaseOf = (id: string, phase: string) =>
  until(async () => ((await session(id)).phase === phase ? true : undefined), `${id} to be ${phase}`, 10_000)

const program = () => startAgent(home, 'codex')

async function asks(agent: FakeAgent, id: string, command: string): Promise<void> {
  const hook = (name: string, fields: object) => agent.hook(name, { session_id: id, cwd: '/work', ...fields })
  const call = { tool_name: 'Bash', tool_input: { command } }
  await hook('UserPromptSubmit', { prompt: 'go' })
  await hook('PreToolUse', { ...call, tool_use_id: `${id}-call` })
  await hook('PermissionRequest', call)
  await phaseOf(id, 'blocked')
}

test('a shell that was replaced by the last part of its command', async () => {
  await using agent = await program()
  await asks(agent, 'list', 'cd /tmp && sleep 9')
  await agent.run('export CODEX_TOOL_CALL_ID=list-call; cd /tmp && exec sleep 9')
  await phaseOf('list', 'working')
})

test('the command of another call is no answer, whatever its line says; nor is a hook', async () => {
  await using agent = await program()
  await asks(agent, 'other', 'sleep 9')
  // Its shell must not look like the command before it is replaced by it.
  await agent.run('CODEX_TOOL_CALL_ID=another-call exec sleep $((4 + 5))')
  await agent.run('exec sleep 8')
  await Bun.sleep(500)
  expect((await session('other')).phase).toBe('blocked')
})

test('a dialog that outlives the daemon is seen to be answered, too', async () => {
  await using agent = await program()
  await asks(agent, 'kept', 'cd /tmp && sleep 9')
  await Bun.sleep(300) // its process is written down
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(home)
  expect((await session('kept')).phase).toBe('blocked')
  await agent.run('export CODEX_TOOL_CALL_ID=kept-call; cd /tmp && exec sleep 9')
  await phaseOf('kept', 'working')
})

/** A command that was allowed is known by the call that its agent names in its environment, whatever it runs as. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { journal, makeHome, type RunningDaemon, startDaemon, until } from '../kit.ts'
import { type FakeAgent, startAgent } from './agent-kit.ts'
import { phaseIn, sessionIn } from './session-kit.ts'

const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const session = (id: string) => sessionIn(home, id)
const phaseOf = (id: string, phase: Parameters<typeof phaseIn>[2]) => phaseIn(home, id, phase)

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
  await using next = await program()
  await asks(next, 'next', 'sleep 7')
  await next.run('export CODEX_TOOL_CALL_ID=next-call; exec sleep 7')
  await phaseOf('next', 'working') // the other one has been looked at, too
  expect((await session('other')).phase).toBe('blocked')
})

test('a dialog that outlives the daemon is seen to be answered, too', async () => {
  await using agent = await program()
  await asks(agent, 'kept', 'cd /tmp && sleep 9')
  await until(
    () => journal(home, "SELECT 1 FROM processes WHERE session LIKE '%kept'").length > 0,
    'its process',
  )
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(home)
  expect((await session('kept')).phase).toBe('blocked')
  await agent.run('export CODEX_TOOL_CALL_ID=kept-call; cd /tmp && exec sleep 9')
  await phaseOf('kept', 'working')
})

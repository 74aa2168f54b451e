/** Which process an agent is: found above the hook client while it waits. Real trees of processes, the real client. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Places } from '../../src/core/files/paths.ts'
import { commandLineOf } from '../../src/core/processes/proc.ts'
import {
  endDaemon,
  HOOK,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { startAgent } from './agent-kit.ts'
import { killedAgent, phaseIn, sessionIn } from './session-kit.ts'

const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const session = (id: string) => sessionIn(home, id)

describe('the process of an agent', () => {
  const FIRST = { gemini: 'BeforeAgent', copilot: 'userPromptSubmitted', claude: 'UserPromptSubmit' }

  test.each(['gemini', 'copilot', 'claude'] as const)(
    'is the one that runs its hooks by a shell: %s',
    async (name) => {
      await using agent = await startAgent(home, name)
      const id = `shelled-${name}`
      const ids = { session_id: id, ...(name === 'copilot' ? { sessionId: id } : {}) }
      await agent.hook(FIRST[name], { ...ids, prompt: 'go' })
      expect(await session(id)).toMatchObject({ phase: 'working', pid: agent.pid })
      await agent.hook(FIRST[name], { ...ids, prompt: 'go on' }) // from another shell
      expect((await session(id)).pid).toBe(agent.pid)
      await agent.kill()
      await phaseIn(home, id, 'ended')
    },
  )

  test.each([
    ['a program that runs another', 'timeout 20 "$@"; true'],
    [
      'a script that passes hooks on, from its second hook on',
      `perl -e 'exit(system(@ARGV) >> 8)' "$@"; true`,
    ],
  ])('is above %s', async (what, shell) => {
    await using agent = await startAgent(home, 'codex', { shell })
    const id = what.replaceAll(/\W+/g, '-')
    await agent.hook('UserPromptSubmit', { session_id: id, prompt: 'go' })
    await killedAgent(home) // what began for one hook has ended, and is seen to have
    await agent.hook('PreToolUse', { session_id: id, tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' })
    expect(await session(id)).toMatchObject({ phase: 'working', pid: agent.pid })
    await killedAgent(home)
    expect((await session(id)).phase).toBe('working')
  })

  test('is not one that is named and runs elsewhere: whatever an agent starts inherits its name', async () => {
    await using victim = await startAgent(home, 'claude')
    await victim.hook('UserPromptSubmit', { session_id: 'victim', prompt: 'go' })
    await victim.hook('Stop', { session_id: 'victim' })
    await using liar = await startAgent(home, 'claude', { env: { CLAUDE_PID: String(victim.pid) } })
    await liar.hook('SessionStart', { session_id: 'liar', source: 'startup' })
    await liar.hook('UserPromptSubmit', { session_id: 'liar', prompt: 'go' })
    expect(await session('liar')).toMatchObject({ phase: 'working', pid: liar.pid })
    expect(await session('victim')).toMatchObject({ phase: 'idle', pid: victim.pid })
  })

  test('of hooks that were spooled a moment ago is known where everything fits, else with the next hook', async () => {
    const at = makeHome()
    await using agent = await startAgent(at, 'codex', { shell: 'exec "$@"' })
    await agent.hook('UserPromptSubmit', { session_id: 'early', prompt: 'go', cwd: process.cwd() })
    await agent.hook('UserPromptSubmit', { session_id: 'elsewhere', prompt: 'go', cwd: '/elsewhere' })
    await using other = await startAgent(at, 'gemini')
    await other.hook('BeforeAgent', { session_id: 'spooled', prompt: 'go' })
    await using _late = await startDaemon(at)
    await phaseIn(at, 'early', 'working')
    expect((await sessionIn(at, 'early')).pid).toBe(agent.pid)
    expect(await sessionIn(at, 'elsewhere')).not.toHaveProperty('pid')
    expect(await sessionIn(at, 'spooled')).toMatchObject({ phase: 'working' })
    expect((await sessionIn(at, 'spooled')).pid).toBeUndefined()
    await other.hook('BeforeTool', { session_id: 'spooled', tool_name: 'x', tool_input: {} })
    expect((await sessionIn(at, 'spooled')).pid).toBe(other.pid)
  })

  test('is above a shell in a shell', async () => {
    await using agent = await startAgent(home, 'claude', { shell: `sh -c '"$@"; true' sh "$@"; true` })
    await agent.hook('UserPromptSubmit', { session_id: 'deep', prompt: 'go' })
    expect((await session('deep')).pid).toBe(agent.pid)
  })

  test('is not the Claude in whose tool call another agent runs', async () => {
    await using agent = await startAgent(home, 'gemini', { env: { CLAUDE_PID: String(process.pid) } })
    await agent.hook('BeforeAgent', { session_id: 'inside', prompt: 'go' })
    expect((await session('inside')).pid).toBe(agent.pid)
  })

  test('is the one that sends hooks itself, as opencode does, and its end is noticed', async () => {
    await using agent = await startAgent(home, 'opencode', { within: true })
    const prompt = { input: { sessionID: 'ses_1' }, output: { parts: [{ type: 'text', text: 'go' }] } }
    await agent.hook('chat.message', prompt)
    expect(await session('ses_1')).toMatchObject({ phase: 'working', pid: agent.pid })
    await agent.kill()
    await phaseIn(home, 'ses_1', 'ended')
  })

  test('is not looked for again in hooks of a session whose process is known', async () => {
    await using agent = await startAgent(home, 'gemini')
    await agent.hook('BeforeAgent', { session_id: 'steady', prompt: 'go' })
    await agent.hook('BeforeTool', { session_id: 'steady', tool_name: 'x', tool_input: {} })
    await agent.hook('SessionStart', { session_id: 'steady', source: 'resume' })
    const clients = journal<{ client: string }>(
      home,
      "SELECT client FROM events WHERE session_id = 'steady' AND transport = 'socket' ORDER BY seq",
    )
    const found = clients.map(({ client }) => (JSON.parse(client) as { agentPid?: number }).agentPid)
    expect(found).toEqual([agent.pid, undefined, agent.pid])
  })

  test('in a container is known by its number out here', async () => {
    const under = ['unshare', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']
    await using agent = await startAgent(home, 'claude', { under, env: { CLAUDE_PID: '7' } })
    await agent.hook('UserPromptSubmit', { session_id: 'contained', prompt: 'go' })
    const { pid = 0 } = await session('contained')
    expect(commandLineOf(pid).join(' ')).toContain('agent-kit.ts')
    expect([7, agent.pid]).not.toContain(pid) // neither what it says, nor the program that made the container
  })
})

describe('nobody is taken for an agent', () => {
  test('above the shell of a person who sends a hook by hand', async () => {
    const payload = JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'by-hand',
      prompt: 'go',
    })
    const line = `echo '${payload}' | ${HOOK} claude UserPromptSubmit; true`
    // `script` gives it a terminal.
    await run(['script', '-qec', line, '/dev/null'], home, '', { SHELL: '/bin/bash' })
    expect(await session('by-hand')).toMatchObject({ phase: 'working' })
    expect((await session('by-hand')).pid).toBeUndefined()
  })

  test('in what is played back', async () => {
    const payload = { hook_event_name: 'UserPromptSubmit', session_id: 'played', pid: process.pid }
    await sendFrame(home, { payload: JSON.stringify(payload), header: { replay: true, pid: process.pid } })
    expect((await session('played')).pid).toBeUndefined()
  })
})

describe('a process that the payload names, as hook scripts of other tools do', () => {
  const prompt = (id: string, fields: object) => ({ session_id: id, prompt: 'go', ...fields })

  test('is the agent where it is above the hook client, past what is not a shell', async () => {
    const perl = `exec perl -e 'system @ARGV' "$@"`
    await using agent = await startAgent(home, 'claude', { shell: perl })
    await agent.hook('UserPromptSubmit', prompt('told', { pid: agent.pid, tmux_pane: '%42' }))
    expect(await session('told')).toMatchObject({ pid: agent.pid, pane: '%42' })
  })

  test('is not believed where it is anybody else', async () => {
    const other = Bun.spawn(['sleep', '60'])
    await using agent = await startAgent(home, 'claude')
    for (const [index, pid] of [other.pid, 1, 0, -1, 4_194_300, '7', 1.5, null].entries()) {
      await agent.hook('UserPromptSubmit', prompt(`lie-${index}`, { pid, tmux_pane: '%1; rm' }))
      const shown = await session(`lie-${index}`)
      expect([shown.pid, shown.pane]).toEqual([agent.pid, undefined])
    }
    other.kill('SIGKILL')
  })

  test('over HTTP is believed where it lives, and is this user’s', async () => {
    const { url, token } = await httpOf(home)
    const other = Bun.spawn(['sleep', '60'])
    const post = async (id: string, pid: number) => {
      const body = JSON.stringify({ hook_event_name: 'UserPromptSubmit', ...prompt(id, { pid }) })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      expect((await fetch(`${url}/hooks/claude`, { method: 'POST', headers, body })).ok).toBe(true)
      return (await session(id)).pid
    }
    expect(await post('posted', other.pid)).toBe(other.pid)
    expect(await post('posted-nobody', 4_194_300)).toBeUndefined()
    expect(await post('posted-first', 1)).toBeUndefined()
    other.kill('SIGKILL')
    await phaseIn(home, 'posted', 'ended')
  })
})

test('an agent that was killed while the daemon was away lives where it was resumed, heard or spooled, else it has ended', async () => {
  const at = makeHome()
  const begin = async (session_id: string) => {
    const agent = await startAgent(at, 'gemini')
    await agent.hook('SessionStart', { session_id, source: 'startup' })
    await agent.hook('BeforeAgent', { session_id, prompt: 'go' })
    return agent
  }
  const resume = async (session_id: string) => {
    const agent = await startAgent(at, 'gemini')
    await agent.hook('SessionStart', { session_id, source: 'resume' })
    return agent
  }
  {
    await using _daemon = await startDaemon(at)
    const agents = await Promise.all(['heard', 'spooled', 'left'].map(begin))
    await until(() => journal(at, 'SELECT * FROM processes').length === 3, 'their processes are written down')
    await endDaemon(at)
    for (const agent of agents) await agent.kill()
  }
  await using spooled = await resume('spooled')
  await using _daemon = await startDaemon(at)
  await using heard = await resume('heard')
  await killedAgent(at) // their first processes are looked at, too
  expect(await sessionIn(at, 'heard')).toMatchObject({ phase: 'starting', pid: heard.pid })
  expect((await sessionIn(at, 'spooled')).phase).toBe('starting')
  await phaseIn(at, 'left', 'ended')
  await spooled.hook('BeforeAgent', { session_id: 'spooled', prompt: 'go on' })
  expect(await sessionIn(at, 'spooled')).toMatchObject({ phase: 'working', pid: spooled.pid })
  for (const [id, agent] of [['heard', heard] as const, ['spooled', spooled] as const]) {
    await agent.kill()
    await phaseIn(at, id, 'ended')
  }
})

async function httpOf(at: Places): Promise<{ url: string; token: string }> {
  const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
  return { url, token: readFileSync(at.token, 'utf8').trim() }
}

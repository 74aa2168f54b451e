/** Who is held for the answer of a person, and who never is. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  exchange,
  frame,
  gantry,
  HOOK,
  makeHome,
  parseReply,
  type RunningDaemon,
  run,
  startDaemon,
  until,
} from '../kit.ts'
import { ATTENDED, first, hold, list, PATIENT_MS, permission, waiting } from './approval-kit.ts'

setDefaultTimeout(120_000)

/** A hook of Claude's that nobody waits for. */
async function says(at: Places, event: string, session: string, payload: object): Promise<void> {
  const body = JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...payload })
  expect((await run([HOOK, 'claude', event], at, body)).exit).toBe(0)
}

describe('nobody is held', () => {
  const passes = async (at: Places, payload: string, env: object = ATTENDED, agent = 'claude') => {
    const { reply } = hold(at, payload, [HOOK], env, agent)
    expect(await reply).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect((await list(at)).approvals).toEqual([])
  }

  const at = makeHome()
  let daemon: RunningDaemon
  beforeAll(async () => {
    daemon = await startDaemon(at)
  })
  afterAll(() => daemon.kill('SIGKILL'))

  test('for a sub-agent of Claude in the background, nor for a teammate; for one that is waited for they are', async () => {
    const agentCall = { tool_name: 'Agent', tool_input: { prompt: 'go' }, tool_use_id: 'c1' }
    const background = { isAsync: true, status: 'async_launched', agentId: 'a1' }
    const teammate = { status: 'teammate_spawned', agentId: 'a1', name: 'bob' }
    /** As 2.1.325 tells it; the call of one that is waited for stays open. */
    const starts = async (session: string, response?: object) => {
      await says(at, 'PreToolUse', session, agentCall)
      await says(at, 'SubagentStart', session, { agent_id: 'a1', agent_type: 'Explore' })
      if (response) await says(at, 'PostToolUse', session, { ...agentCall, tool_response: response })
    }
    const asks = (session: string) => permission('ls', session, { agent_id: 'a1', agent_type: 'Explore' })
    await starts('background', background)
    await passes(at, asks('background'))
    await starts('team', teammate)
    await passes(at, asks('team'))
    await passes(at, asks('unheard'))
    expect((await gantry(at, 'approvals')).stdout).toContain('Bash (permission')
    await starts('waited-for')
    const held = hold(at, asks('waited-for'))
    expect(await first(at)).toMatchObject({ session: 'waited-for', agentId: 'a1' })
    await gantry(at, 'approve', (await first(at)).id)
    expect((await held.reply).stdout).toContain('"behavior":"allow"')
  })

  test('where no dialog is shown meanwhile, unless the configuration says so', async () => {
    await passes(at, permission('ls', 'headless'), {
      CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
      CLAUDE_CODE_SESSION_ATTENDED: '0',
    })
    await passes(at, permission('ls', 'old'), { CLAUDE_CODE_ENTRYPOINT: 'cli' })
    await passes(at, permission('ls', 'codex'), {}, 'codex')
    await Bun.write(at.configFile, '[http]\nport = 0\n[approvals]\nhold = ["codex"]\n')
    const held = await until(
      async () => {
        const one = hold(at, permission('ls', newId()), [HOOK], {}, 'codex')
        const done = await Promise.race([one.reply, waiting(at).catch(() => undefined)])
        return Array.isArray(done) ? one : undefined
      },
      'the configuration to be read',
      PATIENT_MS,
    )
    const { id, agent } = await first(at)
    expect(agent).toBe('codex')
    await gantry(at, 'approve', id)
    expect((await held.reply).stdout).toContain('"behavior":"allow"')
  })

  test('for a question or a plan, which are listed as what they are', async () => {
    const at = makeHome('[approvals]\nhold = ["claude", "codex", "copilot"]\n')
    await using _daemon = await startDaemon(at)
    await passes(at, permission('', 'q', { tool_name: 'AskUserQuestion', tool_input: { questions: [] } }))
    await passes(at, permission('', 'p', { tool_name: 'ExitPlanMode', tool_input: { plan: 'x' } }))
    const { stdout } = await gantry(at, 'approvals')
    expect(stdout).toContain('AskUserQuestion (question')
    expect(stdout).toContain('ExitPlanMode (plan')
    expect(stdout).toContain('answer it in its terminal')
  })

  test('when a rule has decided, when it is switched off, or when the client cannot wait', async () => {
    const at = makeHome()
    await Bun.write(
      join(at.rules, 'a.yaml'),
      `rules: [{ id: ls, on: PermissionRequest, match: { tool.input.command: '^ls$' }, decision: allow }]`,
    )
    const daemon = await startDaemon(at)
    const allowed = await run([HOOK, 'claude', 'PermissionRequest'], at, permission('ls'), ATTENDED)
    expect(allowed.stdout).toContain('"allow"')
    const bytes = frame({ event: 'PermissionRequest', payload: permission('pwd'), header: { env: ATTENDED } })
    expect(parseReply(await exchange(at, bytes, PATIENT_MS))?.stdout).toBe('')
    await daemon.kill('SIGTERM')
    await Bun.write(at.configFile, '[http]\nport = 0\n[approvals]\nenabled = false\n')
    await using _again = await startDaemon(at)
    await passes(at, permission('pwd', 's2'))
  })
})

describe('what a rule wants asked', () => {
  const RULES = `rules: [{ id: careful, on: PreToolUse, match: { tool.input.command: 'push' }, decision: ask, reason: sure? }]`
  const push = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'c1',
    turn_id: 't1',
    cwd: '/',
    tool_name: 'Bash',
    tool_input: { command: 'git push' },
    tool_use_id: 'u1',
  })
  const hook = (at: Places, agent = 'codex') => hold(at, push, [HOOK], {}, agent, 'PreToolUse').reply
  const at = makeHome('[approvals]\nhold = ["codex"]\n')
  let daemon: RunningDaemon
  beforeAll(async () => {
    daemon = await startDaemon(at)
  })
  afterAll(() => daemon.kill('SIGKILL'))

  test('by a handler, too, which may also give the tool another input', async () => {
    const register = (command: string) =>
      call(at, 'bus.register', { id: 'careful', events: ['PreToolUse'], command })
    await register(`echo '{"ask":true,"reason":"sure?"}'`)
    const own = await hook(at, 'claude')
    expect(JSON.parse(own.stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'sure?',
    })
    const held = hook(at)
    const { id, reason } = await first(at)
    expect(reason).toBe('sure?')
    await gantry(at, 'deny', id, '-m', 'no')
    expect(JSON.parse((await held).stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    })
    await register(`echo '{"input":{"command":"git status"}}'`)
    const changed = await run([HOOK, 'claude', 'PreToolUse'], at, push.replaceAll('u1', 'u2'))
    expect(JSON.parse(changed.stdout).hookSpecificOutput.updatedInput).toEqual({ command: 'git status' })
    await call(at, 'bus.unregister', { id: 'careful' })
  })

  test('and Codex cannot ask, a person is asked where Codex may be held; else it is denied as ever', async () => {
    await Bun.write(join(at.rules, 'a.yaml'), RULES)
    await until(async () => (await call(at, 'rules.list')).length > 0, 'the rule', PATIENT_MS)
    const held = hook(at)
    const { id, reason, line } = await first(at)
    expect({ reason, line }).toEqual({ reason: 'sure?', line: 'git push' })
    expect((await gantry(at, 'approve', id)).exit).toBe(0)
    expect(await held).toEqual({ exit: 0, stdout: '', stderr: '' })

    const plain = makeHome()
    await Bun.write(join(plain.rules, 'a.yaml'), RULES)
    await using _other = await startDaemon(plain)
    expect((await hook(plain)).stdout).toContain('"permissionDecision":"deny"')
  })

  test('and nobody answers, it is denied as ever', async () => {
    const at = makeHome('[approvals]\nhold = ["codex"]\nwait_s = 1\n')
    await Bun.write(join(at.rules, 'a.yaml'), RULES)
    await using _daemon = await startDaemon(at)
    expect((await hook(at)).stdout).toContain('sure? (Codex cannot ask here, so it was denied.)')
  })
})

/** Whose answer to an approval is taken, and what is shown of one. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { call, provedAnswer } from '../../src/client/index.ts'
import {
  envFor,
  GANTRY,
  gantry,
  HOOK,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  startDaemon,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import { ATTENDED, first, gone, type HeldHook, hold, list, PATIENT_MS, permission } from './approval-kit.ts'

setDefaultTimeout(120_000)

/** For all who leave nothing that waits. */
const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
const waiting: HeldHook[] = []
afterEach(async () => {
  for (const held of waiting.splice(0)) held.kill()
  await gone(at)
})
afterAll(() => daemon.kill('SIGKILL'))

const holds = (payload: string) => void waiting.push(hold(at, payload))

describe('an answer', () => {
  test('says what is wrong with it', async () => {
    expect(await gantry(makeHome(), 'approve', 'riko7')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('gantry up'),
    })
    expect((await gantry(at, 'approve')).stdout).toBe('Nobody waits for an answer.\n')
    expect((await gantry(at, 'approve', 'riko7')).stderr).toContain('Permission request "riko7" is not open')
    expect((await gantry(at, 'deny')).exit).toBe(2)
    expect((await gantry(at, 'approve', 'a', 'b')).exit).toBe(2)
  })

  test('needs the key, which is nobody else’s to read, and the secret word of its question', async () => {
    expect(statSync(at.approvalKey).mode & 0o777).toBe(0o600)
    holds(permission('ls'))
    const { id, nonce } = await first(at)
    const forged = { id, nonce, decision: 'allow', proof: 'x'.repeat(43) } as const
    await expect(call(at, 'approvals.answer', forged)).rejects.toThrow('not proved with the approval key')
    const { proofOf } = await import('../../src/client/index.ts')
    const key = (await Bun.file(at.approvalKey).text()).trim()
    const other = { id, nonce: 'another', decision: 'allow' } as const
    const proved = call(at, 'approvals.answer', { ...other, proof: proofOf(key, other) })
    await expect(proved).rejects.toThrow('now refers to a newer request')
    const token = (await Bun.file(at.token).text()).trim()
    const said = { id, nonce, decision: 'allow' } as const
    const byToken = call(at, 'approvals.answer', { ...said, proof: proofOf(token, said) })
    await expect(byToken).rejects.toThrow('not proved')
    expect((await list(at)).approvals).toHaveLength(1)
  })

  test('is not taken from an agent: by its environment, nor by what started it', async () => {
    // An agent that asks, and then tries to answer itself: its pid is what its hook says.
    const script = `exec 3<&0; CLAUDE_PID=$$ "$0" claude PermissionRequest <&3 >reply & until "$1" approvals --json | grep -q '"id"'; do sleep 0.1; done; id=$("$1" approvals --json | sed -n 's/.*"id": "\\([a-z0-9]*\\)".*/\\1/p' | head -1); "$1" approve "$id"; echo "exit $?"`
    const child = Bun.spawn(['sh', '-c', script, HOOK, GANTRY], {
      cwd: at.home ?? '',
      env: envFor(at, { GANTRY_NO_AUTOSTART: '1', ...ATTENDED }),
      stdin: Buffer.from(permission('rm -rf x')),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    processes.add(child)
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect(stdout).toContain('exit 1')
    expect(stderr).toContain('Only a person may do this')
    expect(stderr).toContain('it was started by')
    await gone(at) // with the agent that asked
    holds(permission('rm -rf y'))
    const { id } = await first(at)
    for (const mark of [
      'CLAUDECODE',
      'CODEX_THREAD_ID',
      'GEMINI_CLI',
      'COPILOT_CLI',
      'OPENCODE',
      'GANTRY_RUN_ID',
    ]) {
      const inside = await run([GANTRY, 'approve', id], at, '', { [mark]: '1' })
      expect(inside).toMatchObject({ exit: 1, stdout: '' })
      expect(inside.stderr).toContain(`${mark} is set`)
    }
    // Its own variables taken away, the shell above it still has them.
    const hidden = await run(['sh', '-c', `env -u CLAUDECODE "$0" approve ${id}; exit $?`, GANTRY], at, '', {
      CLAUDECODE: '1',
    })
    expect(hidden.stderr).toContain('CLAUDECODE is set')
    expect((await list(at)).approvals).toHaveLength(1)
  })

  test('is not taken from an agent that hangs up before its call is served', async () => {
    holds(permission('rm -rf x'))
    const approval = await first(at)
    const answer = { cmd: 'approvals.answer', args: provedAnswer(at, approval, 'allow') }
    // A call that takes a while, the answer behind it, and nobody there any more when its turn comes.
    const slow = { cmd: 'fleet.await', args: { timeoutMs: 1_000 } }
    const last = { cmd: 'bus.emit', args: { event: 'Over', payload: {} } }
    const lines = [slow, answer, last].map((one) => `${JSON.stringify(one)}\n`).join('')
    const script = `const { connect } = require('node:net')
      const socket = connect(process.argv[1], () => socket.write(process.argv[2], () => process.exit(0)))`
    const child = Bun.spawn([process.execPath, '-e', script, at.socket, lines], {
      env: envFor(at, { CLAUDECODE: '1' }),
    })
    expect(await child.exited).toBe(0)
    await until(
      () => journal(at, "SELECT 1 FROM events WHERE type = 'Over'").length > 0,
      'the last call',
      PATIENT_MS,
    )
    expect((await list(at)).approvals.map(({ id }) => id)).toEqual([approval.id])
  })

  test('is not taken from a handler, which an agent can have asked', async () => {
    holds(permission('rm -rf x'))
    const { id } = await first(at)
    const command = `"${GANTRY}" approve ${id} >said 2>&1; mv said told`
    await call(at, 'bus.register', { id: 'deputy', events: ['Ping'], command })
    await call(at, 'bus.emit', { event: 'Ping', payload: {} })
    const told = await until(
      () => (existsSync(join(at.state, 'told')) ? readFileSync(join(at.state, 'told'), 'utf8') : undefined),
      'the handler to have tried',
      PATIENT_MS,
    )
    expect(told).toContain('Only a person may do this')
    expect((await list(at)).approvals).toHaveLength(1)
    await call(at, 'bus.unregister', { id: 'deputy' })
  })

  test.each([
    { argv: ['bus', 'register', '--id', 'mine', '--events', 'Stop', '--command', 'true'] },
    { argv: ['bus', 'unregister', 'guard'] },
    { argv: ['down'] },
  ])('$argv is the owner’s to say, too', async ({ argv }) => {
    await call(at, 'bus.register', { id: 'guard', events: ['PreToolUse'], command: 'true' })
    const inside = await run([GANTRY, ...argv], at, '', { CLAUDECODE: '1' })
    expect(inside).toMatchObject({ exit: 1, stdout: '' })
    expect(inside.stderr).toContain('Only a person may do this')
    const handlers = await call(at, 'bus.handlers')
    expect(handlers.map(({ id }) => id)).toEqual(['guard'])
  })

  test('text of a payload cannot drive the terminal', async () => {
    holds(permission('ls \u001b]0;x\u0007\u202e\u009b2J\nrm -rf /'))
    const { id } = await first(at)
    for (const args of [['approvals'], ['approvals', id], ['sessions'], ['session', 's1'], ['approve', id]]) {
      const { stdout } = await gantry(at, ...args)
      expect(stdout).toContain(args[0] === 'sessions' ? 'Bash ls' : 'rm -rf /')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
  })
})

test('approvals --follow tells what comes and what becomes of it', async () => {
  const follower = Bun.spawn([GANTRY, 'approvals', '--follow', '--json'], { env: envFor(at), stdout: 'pipe' })
  processes.add(follower)
  let printed = ''
  const reading = (async () => {
    for await (const chunk of follower.stdout) printed += Buffer.from(chunk).toString()
  })()
  const lines = () =>
    printed
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  await until(async () => (await call(at, 'status')).subscribers > 0, 'it listens', PATIENT_MS)
  holds(permission('ls'))
  const { id } = await first(at)
  await gantry(at, 'deny', id, '-m', 'later')
  await until(() => lines().length === 2, 'both lines', PATIENT_MS)
  expect(lines()).toMatchObject([
    { type: 'ApprovalAsked', id, line: 'ls', input: { command: 'ls' } },
    { type: 'ApprovalAnswered', id, how: 'denied', message: 'later' },
  ])
  follower.kill('SIGTERM')
  await follower.exited
  await reading
})

/** Permissions that a person answers from elsewhere: how they are held, and every way they end. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { answerApproval, call } from '../../src/client/index.ts'
import {
  frame,
  gantry,
  journal,
  makeHome,
  parseReply,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import {
  ATTENDED,
  CLIENTS,
  first,
  gone,
  hold,
  list,
  PATIENT_MS,
  permission,
  told,
  toldTypes,
  waiting,
} from './approval-kit.ts'
import { sessionIn, sessionWhen } from './session-kit.ts'

setDefaultTimeout(120_000)

/** For all who leave nothing that waits. */
const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(() => daemon.kill('SIGKILL'))

describe('a permission', () => {
  for (const { name, argv } of CLIENTS) {
    test(`is held by the ${name} client, and allowed from the command line`, async () => {
      const before = told(at).length
      const held = hold(at, permission('touch made', name), argv)
      const { id, tool, line, input, nonce } = await first(at)
      expect(id).toMatch(/^[a-z]{4}\d$/)
      expect({ tool, line, input }).toEqual({
        tool: 'Bash',
        line: 'touch made',
        input: { command: 'touch made' },
      })
      expect(await sessionIn(at, name)).toMatchObject({
        needsYou: true,
        approvals: [{ id, tool: 'Bash', line: 'touch made' }],
      })
      expect((await gantry(at, 'sessions')).stdout).toContain(`approve ${id}: Bash touch made`)
      expect((await gantry(at, 'session', name)).stdout).toContain(`gantry approve ${id}`)

      const said = await gantry(at, 'approve', id)
      expect(said).toMatchObject({ exit: 0, stderr: '' })
      expect(said.stdout).toContain(`Approved ${id}: Bash  touch made`)
      expect(await held.reply).toEqual({
        exit: 0,
        stderr: '',
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
      })
      await toldTypes(at, 3, before)
      const messages = told(at, before)
      expect(messages.map(({ type }) => type).toSorted()).toEqual([
        'ApprovalAnswered',
        'ApprovalAsked',
        'allow',
      ])
      expect(messages.find(({ type }) => type === 'ApprovalAnswered')).toMatchObject({
        id,
        decision: 'allow',
        by: expect.stringMatching(/^cli \(process \d+\)$/),
      })
      expect(messages.find(({ type }) => type === 'allow')).toMatchObject({ by: `approval:${id}` })
      expect(JSON.stringify(messages)).not.toContain(nonce)
      const again = await gantry(at, 'deny', id)
      expect(again.exit).toBe(1)
      expect(again.stderr).toContain(`${id} is over: it was approved`)
      expect(readdirSync(at.spool)).toEqual([])
    })

    test(`is denied through the ${name} client, and the model is told why`, async () => {
      const held = hold(at, permission('rm x', name), argv)
      const { id } = await first(at)
      expect((await gantry(at, 'deny', id, '--message', 'not that one')).exit).toBe(0)
      expect(JSON.parse((await held.reply).stdout).hookSpecificOutput.decision).toEqual({
        behavior: 'deny',
        message: 'not that one',
      })
    })
  }

  test('with a large input is listed without it, and shown with all of it', async () => {
    const before = told(at).length
    const content = 'x'.repeat(200_000)
    const held = hold(
      at,
      permission('', 'large', { tool_name: 'Write', tool_input: { file_path: '/a', content } }),
    )
    const { id, line, input, isLarge } = await first(at)
    expect({ line, input, isLarge }).toEqual({
      line: '/a  (and content: 200000 characters)',
      input: null,
      isLarge: true,
    })
    expect((await gantry(at, 'approvals', id)).stdout).toContain(content)
    const [asked] = await until(
      () => told(at, before).length > 0 && told(at, before),
      'the message',
      PATIENT_MS,
    )
    expect(JSON.stringify(asked).length).toBeLessThan(2_000)
    await gantry(at, 'approve', id)
    expect((await held.reply).stdout).toContain('allow')
    const shown = await sessionWhen(at, 'large', ({ phase }) => phase !== 'blocked')
    expect(shown).not.toHaveProperty('approvals')
  })

  test('that nobody answers in time is left to the dialog of the agent', async () => {
    const at = makeHome('[approvals]\nwait_s = 2\n')
    await using _daemon = await startDaemon(at)
    const held = hold(at, permission('ls'))
    const { id } = await first(at)
    expect(await held.reply).toEqual({ exit: 0, stdout: '', stderr: '' })
    await gone(at)
    expect((await gantry(at, 'approve', id)).stderr).toContain('nobody answered in time')
    expect(await toldTypes(at, 2)).toEqual(['ApprovalAsked', 'ApprovalExpired'])
    expect((await gantry(at, 'doctor')).stdout).not.toContain('missed')
  })

  test('that was answered in its terminal is withdrawn at once', async () => {
    const held = hold(at, permission('ls', 'terminal'))
    const other = hold(at, permission('pwd', 'terminal'))
    await waiting(at, 2)
    await sendFrame(at, {
      event: 'PostToolUse',
      payload: permission('ls', 'terminal', {
        hook_event_name: 'PostToolUse',
        tool_response: {},
        tool_use_id: 't1',
      }),
    })
    expect((await held.reply).stdout).toBe('')
    const { id, line } = await first(at)
    expect(line).toBe('pwd')
    await sendFrame(at, { event: 'Stop', payload: '{"hook_event_name":"Stop","session_id":"terminal"}' })
    expect((await other.reply).stdout).toBe('')
    const late = await gantry(at, 'approve', id)
    expect(late).toMatchObject({ exit: 1, stdout: '' })
    expect(late.stderr).toContain(`${id} is over: it was withdrawn`)
    expect(late.stderr).toContain('(Stop)')
  })

  test('whose hook was ended is withdrawn at once', async () => {
    for (const { name, argv } of CLIENTS) {
      const before = told(at).length
      const held = hold(at, permission('ls', `ended-${name}`), argv)
      const { id } = await first(at)
      held.kill()
      await held.reply
      await gone(at)
      expect((await gantry(at, 'approve', id)).stderr).toContain('its hook was ended')
      expect(await toldTypes(at, 2, before)).toEqual(['ApprovalAsked', 'ApprovalWithdrawn'])
    }
  })

  test('that Codex gave up on and asks for by itself is something for the doctor', async () => {
    const at = makeHome('[approvals]\nhold = ["codex"]\n')
    await using _daemon = await startDaemon(at)
    const agent = Bun.spawn(['cat'], { stdin: 'pipe', stdout: 'ignore' })
    processes.add(agent)
    const socket = connect(at.socket)
    const header = { agent: 'codex', hold: true, ppid: agent.pid }
    socket.write(frame({ event: 'PermissionRequest', payload: permission('ls', 'c1'), header }))
    await first(at)
    socket.destroy()
    await gone(at)
    const isCut = async () => (await call(at, 'counters')).some(({ kind }) => kind === 'approval-cut')
    await until(isCut, 'it to be counted', PATIENT_MS)
    expect(JSON.stringify(await call(at, 'doctor'))).toContain('codex: after at most 10 of 300 s')
    agent.kill()
    await agent.exited
  })

  test('is the own affair of the agent again when the daemon is killed, and a restart knows nothing of it', async () => {
    const at = makeHome()
    const daemon = await startDaemon(at)
    const held = CLIENTS.map(({ name, argv }) => hold(at, permission('ls', name), argv))
    const open = await waiting(at, CLIENTS.length)
    await daemon.kill('SIGKILL')
    for (const { reply } of held) expect(await reply).toEqual({ exit: 0, stdout: '', stderr: '' })
    const again = await startDaemon(at)
    expect((await list(at)).approvals).toEqual([])
    for (const { id } of open) {
      const late = await gantry(at, 'approve', id)
      expect(late).toMatchObject({ exit: 1, stdout: '' })
      expect(late.stderr).toContain(`Permission request "${id}" is not open`)
    }
    expect(journal(at).filter(({ type }) => type === 'PermissionRequest')).toHaveLength(CLIENTS.length)

    // When the daemon is stopped it gets its answer, and that is none.
    const before = told(at).length
    const missed = () => journal(at, `SELECT * FROM counters WHERE kind = 'missed'`)
    const last = hold(at, permission('ls', 'last'))
    await first(at)
    const missedBefore = missed()
    expect(await again.kill('SIGTERM')).toBe(0)
    expect(await last.reply).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(told(at, before).map(({ type }) => type)).toEqual(['ApprovalAsked', 'ApprovalWithdrawn'])
    expect(missed()).toEqual(missedBefore)
  })

  test('300 at once: as many as may be are held, the others go on, and each gets its own answer', async () => {
    const replies = new Map<number, string>()
    const sockets = Array.from({ length: 300 }, (_, n) => {
      const socket = connect(at.socket)
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk.toString()
        const reply = parseReply(Buffer.from(got.replace(/^(hold \d+\n)+/, '')))
        if (reply) replies.set(n, reply.stdout)
      })
      const payload = permission(`echo ${n}`, `s${n}`)
      socket.write(frame({ event: 'PermissionRequest', payload, header: { hold: true, env: ATTENDED } }))
      return socket
    })
    const held = await until(
      async () => {
        const { approvals } = await list(at)
        return approvals.length + replies.size === 300 ? approvals : undefined
      },
      'all of them',
      PATIENT_MS,
    )
    expect(held.length).toBeGreaterThanOrEqual(150)
    expect(new Set(held.map(({ id }) => id)).size).toBe(held.length)
    expect([...replies.values()].every((stdout) => stdout === '')).toBe(true)
    const few = held.slice(0, 6)
    for (const [i, { id }] of few.entries()) await answerApproval(at, id, i % 2 ? 'deny' : 'allow')
    for (const [i, { line }] of few.entries()) {
      const n = Number(line.split(' ')[1])
      const stdout = await until(() => replies.get(n), `the answer of ${line}`, PATIENT_MS)
      expect(stdout).toContain(i % 2 ? '"deny"' : '"allow"')
    }
    const open = held.slice(6).filter(({ line }) => replies.has(Number(line.split(' ')[1])))
    expect(open).toEqual([])
    for (const socket of sockets) socket.destroy()
    await gone(at)
  })
})

/** `gantry bus emit`: hooks answered as on bd's bus, and events of one's own. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  GANTRY,
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  startDaemon,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000)

const stop = '{"hook_event_name":"Stop","session_id":"s1","cwd":"/"}'
const bash = `{"hook_event_name":"PreToolUse","session_id":"s1","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"ls"}}`

const emit = (at: Places, stdin: string, ...args: string[]) =>
  run([GANTRY, 'bus', 'emit', ...args], at, stdin, { GANTRY_NO_AUTOSTART: '1' })

/** For all who say which events they mean. */
const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(() => daemon.kill('SIGKILL'))

/** A handler until it is disposed of. */
async function register(events: string[], command: string): Promise<AsyncDisposable> {
  await call(at, 'bus.register', { id: 'h', events, command })
  return { [Symbol.asyncDispose]: async () => void (await call(at, 'bus.unregister', { id: 'h' })) }
}

const lastSeq = async () => (await call(at, 'status')).lastSeq
const since = (seq: number) => journal(at, `SELECT * FROM events WHERE seq > ${seq} ORDER BY seq`)

describe('a hook', () => {
  test('that nobody minds is exit 0 and nothing else, and in the journal like any other', async () => {
    const before = await lastSeq()
    expect(await emit(at, stop, '--hook=Stop')).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(await emit(at, '', '--hook', 'SessionEnd', '--agent', 'codex')).toEqual({
      exit: 0,
      stdout: '',
      stderr: '',
    })
    expect(since(before)).toMatchObject([
      { type: 'Stop', agent: 'claude', raw: stop, session_id: 's1', transport: 'socket' },
      { native: 'SessionEnd', agent: 'codex', raw: '' },
    ])
  })

  test('that a handler blocks is exit 2 with the reason as JSON on stderr', async () => {
    await using _handler = await register(
      ['Stop', 'PreToolUse'],
      `echo '{"block":true,"reason":"a \\"gate\\""}'`,
    )
    const blocked = { exit: 2, stdout: '', stderr: '{"decision":"block","reason":"a \\"gate\\""}\n' }
    expect(await emit(at, stop, '--hook=Stop')).toEqual(blocked)
    expect(await emit(at, bash, '--hook=PreToolUse')).toEqual(blocked)
  })

  test('gets what is injected on stdout, and warnings as reminders', async () => {
    await using _handler = await register(
      ['PreToolUse'],
      `echo '{"inject":["read this","and this"],"warnings":["careful"]}'`,
    )
    expect(await emit(at, bash, '--hook=PreToolUse')).toEqual({
      exit: 0,
      stdout: 'read this\nand this\n<system-reminder>careful</system-reminder>\n',
      stderr: '',
    })
  })

  test('is answered by the rules, too; what that form has no words for in the agent’s own', async () => {
    const at = makeHome()
    const rules = `rules:
  - { id: no, on: Stop, decision: block-stop, reason: tests first }
  - { id: hm, on: PreToolUse, decision: ask, reason: sure? }`
    await Bun.write(join(at.rules, 'a.yaml'), rules)
    await using _daemon = await startDaemon(at)
    expect(await emit(at, stop, '--hook=Stop')).toMatchObject({
      exit: 2,
      stderr: '{"decision":"block","reason":"tests first"}\n',
    })
    const { exit, stdout } = await emit(at, bash, '--hook=PreToolUse')
    expect(exit).toBe(0)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask' })
  })

  test('waits for a handler that takes its time', async () => {
    await using _handler = await register(['Stop'], `sleep 6; echo '{"block":true,"reason":"slowly"}'`)
    expect(await emit(at, stop, '--hook=Stop')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('slowly'),
    })
  })

  test('without a daemon is exit 0 and silent, and not lost', async () => {
    const at = makeHome()
    expect(await emit(at, stop, '--hook=Stop')).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(readdirSync(at.spool)).toHaveLength(1)
    await using _daemon = await startDaemon(at)
    await until(() => journal(at).length === 1, 'the event that waited')
    expect(journal(at)).toMatchObject([{ type: 'Stop', raw: stop, transport: 'spool' }])
  })

  test('that is written wrongly never blocks: exit 1', async () => {
    const at = makeHome()
    const wrong = [
      [],
      ['--hook=Stop', '--event=X'],
      ['--hook=a b'],
      ['--hok=Stop'],
      ['--hook=Stop', '--json'],
      ['--hook=Stop', '--agent=No Agent'],
    ]
    for (const args of wrong) {
      const { exit, stderr } = await emit(at, stop, ...args)
      expect([args, exit]).toEqual([args, 1])
      expect(stderr).not.toBe('')
    }
  })
})

describe('an event of one’s own', () => {
  test('is in the journal as it came, with the id and sequence that were printed', async () => {
    const before = await lastSeq()
    const sessions = async () =>
      ((await gantryJson(at, 'sessions', '--json')) as { key: string }[]).map(({ key }) => key)
    const shown = await sessions()
    const payload = '{"session_id": "s9", "n": 12345678901234567890}'
    const { stdout } = await emit(at, '', '--event=DeployDone', `--payload=${payload}`, '--json')
    const { id, seq } = JSON.parse(stdout) as { id: string; seq: number }
    expect(since(before)).toMatchObject([
      { id, seq, type: 'DeployDone', agent: 'gantry', transport: 'emit', raw: payload, session_id: 's9' },
    ])
    const other = await emit(at, '{"a":1}', '--event=my.event', '--payload=-', '--agent=ci')
    expect(other.stdout).toMatch(new RegExp(`^[0-9A-Z]{26} {2}#${seq + 1}\n$`))
    expect(since(before)[1]).toMatchObject({ type: 'my.event', agent: 'ci', raw: '{"a":1}' })
    expect((await emit(at, '', '--event=Empty')).exit).toBe(0)
    expect(await sessions()).toEqual(shown)
  })

  test('is passed to its handlers', async () => {
    await using _handler = await register(['DeployDone'], 'cat > deployed; exit 2')
    expect((await emit(at, '', '--event=DeployDone', '--payload={"ref":"v1"}')).exit).toBe(0)
    const file = join(at.state, 'deployed')
    await until(() => existsSync(file) && readFileSync(file, 'utf8') === '{"ref":"v1"}', 'the handler')
  })

  test('is refused when it is none, and says so without a daemon', async () => {
    expect(await gantry(makeHome(), 'bus', 'emit', '--event=X')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('gantry up'),
    })
    const before = await lastSeq()
    const wrong: [string[], string][] = [
      [['--event=two words'], 'an event name is letters'],
      [['--event=X', '--payload=[1]'], 'not a JSON object'],
      [['--event=X', '--payload={'], 'not a JSON object'],
      [['--event=X', '--payload="text"'], 'not a JSON object'],
      [['--event=X', '--payload={"hook_event_name":"Stop"}'], 'calls its event "Stop"'],
      [['--event=X', '--agent=Über'], 'not a valid agent name'],
    ]
    for (const [args, why] of wrong) {
      const { exit, stderr } = await emit(at, '', ...args)
      expect([exit, stderr]).toEqual([1, expect.stringContaining(why)])
    }
    const large = `{"a":"${'x'.repeat(1_100_000)}"}`
    expect((await emit(at, large, '--event=X', '--payload=-')).stderr).toContain('over 1 MB')
    expect(since(before)).toEqual([])
  })
})

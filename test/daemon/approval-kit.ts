/** Hooks that are held, and what is told of them: for the tests of approvals. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApprovalView, call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { envFor, GANTRY, HOOK, journal, type Ran, tempDir, until } from '../kit.ts'
import { processes } from '../litter.ts'

export const CLIENTS = [
  { name: 'native', argv: [HOOK] },
  { name: 'typescript', argv: [GANTRY, 'hook'] },
]

/** What Claude Code tells of itself where a person sits before it. */
export const ATTENDED = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: '1' }
export const PATIENT_MS = 30_000

export const permission = (command: string, session = 's1', more: object = {}) =>
  JSON.stringify({
    hook_event_name: 'PermissionRequest',
    session_id: session,
    prompt_id: newId(),
    cwd: '/',
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  })

export interface HeldHook {
  readonly pid: number
  readonly reply: Promise<Ran>
  kill(): void
}

/** Runs a command, writes its exit code down, and lives on; a TERM is passed on. */
const AGENT = `
  my ($file, $child) = shift;
  $SIG{TERM} = sub { kill 'TERM', $child if $child };
  $child = fork // die;
  exec @ARGV or die unless $child;
  1 until waitpid($child, 0) == $child;
  open(my $code, '>', $file); print $code $? >> 8; close $code;
  open(STDOUT, '>', '/dev/null'); open(STDERR, '>', '/dev/null');
  sleep 600`

/** A hook that waits. Its agent is a program beside this test: whoever answers must not be below an agent. */
export function hold(
  at: Places,
  payload: string,
  argv = [HOOK],
  env: object = ATTENDED,
  agent = 'claude',
  event = 'PermissionRequest',
): HeldHook {
  const script = 'exec 3<&0; "$@" <&3 3<&- & pid=$!; exec 3<&-; trap "kill -9 $pid" TERM; wait $pid'
  const code = join(tempDir(), 'exit')
  const child = Bun.spawn(['perl', '-e', AGENT, code, 'sh', '-c', script, 'sh', ...argv, agent, event], {
    env: envFor(at, { GANTRY_NO_AUTOSTART: '1', ...env }),
    stdin: Buffer.from(payload),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  const reply = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]).then(
    ([stdout, stderr]) => ({ stdout, stderr, exit: Number(readFileSync(code, 'utf8')) }),
  )
  return { pid: child.pid, reply, kill: () => child.kill('SIGTERM') }
}

export const list = (at: Places) => call(at, 'approvals.list')
export const waiting = (at: Places, count = 1): Promise<readonly ApprovalView[]> =>
  until(
    async () => {
      const { approvals } = await list(at)
      return approvals.length === count ? approvals : undefined
    },
    `${count} to wait`,
    PATIENT_MS,
  )
export const first = async (at: Places) => (await waiting(at))[0] as ApprovalView
export const gone = (at: Places) =>
  until(async () => (await list(at)).approvals.length === 0, 'none to wait', PATIENT_MS)

/** What was told, but for the first of it. */
export const told = (at: Places, before = 0) =>
  journal<{ type: string; data: string }>(
    at,
    `SELECT type, data FROM bus_messages WHERE stream = 'DECISION_EVENTS' ORDER BY seq LIMIT -1 OFFSET ${before}`,
  ).map(({ type, data }) => ({ type, ...JSON.parse(data) }))
export const toldTypes = (at: Places, count: number, before = 0) =>
  until(
    () => {
      const types = told(at, before).map(({ type }) => type)
      return types.length >= count ? types : undefined
    },
    `${count} messages`,
    PATIENT_MS,
  )

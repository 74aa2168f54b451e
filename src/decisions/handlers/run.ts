/**
 * One run of a registered command: the payload on stdin, an opinion on stdout. It gets a process group of its own, and
 * the whole group ends with it or at its limit, whichever comes first. Nothing of a payload is on its command line.
 */
import type { HookEvent } from '../../events/index.ts'
import { type LastWill, SIGN_IN } from './last-will.ts'
import { blockBy, NO_OPINION, type Opinion, readOpinion } from './opinion.ts'

export interface RunPlace {
  /** Where it runs: not in a repository, whose files could be found first. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly limitMs: number
  /** Ends it when the daemon cannot. */
  readonly will?: LastWill
}

export type RunResult =
  | { readonly kind: 'said'; readonly opinion: Opinion; readonly garbled: boolean }
  | { readonly kind: 'failed'; readonly error: string }

export interface Run {
  readonly result: Promise<RunResult>
  /** Ends the whole group. */
  kill(): void
}

const STDOUT_LIMIT_BYTES = 256 * 1024 // more is not an opinion; a model's context is smaller than that
const STDERR_LIMIT_BYTES = 16 * 1024 // the rest is read and forgotten
const BLOCKS = 2 // exit code, as for the agents' own hooks
const LEFTOVER_MS = 500 // for pipes whose holder has left the group

/** What a command may need of the daemon's environment; the rest of it is nobody's business. */
const PASSED_ON = [
  'GANTRY_HOME',
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
]

export function handlerEnv(
  env: Readonly<Record<string, string | undefined>>,
  home?: string,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of PASSED_ON) {
    const value = env[name]
    if (value !== undefined) kept[name] = value
  }
  return home === undefined ? kept : { ...kept, GANTRY_HOME: home }
}

export function runHandler(command: string, event: HookEvent, place: RunPlace): Run {
  let child: ReturnType<typeof spawn>
  try {
    child = spawn(command, event, place)
  } catch (error) {
    return {
      result: Promise.resolve({ kind: 'failed', error: `cannot be started: ${String(error)}` }),
      kill() {},
    }
  }
  const { pid } = child
  const kill = () => killGroup(pid)
  place.will?.add(pid)
  const result = watch(child, place.limitMs, kill).finally(() => place.will?.delete(pid))
  return { result, kill }
}

function spawn(command: string, event: HookEvent, { dir, env, will }: RunPlace) {
  const line = will?.line()
  return Bun.spawn(['/bin/sh', '-c', line === undefined ? command : SIGN_IN + command], {
    cwd: dir,
    env: { ...env, ...factsOf(event) },
    detached: true, // a session and a group of its own
    stdio: [Buffer.from(event.raw), 'pipe', 'pipe', ...(line === undefined ? [] : [line])],
  })
}

async function watch(child: ReturnType<typeof spawn>, limitMs: number, kill: () => void): Promise<RunResult> {
  let late = false
  let tooMuch = false
  const timer = setTimeout(() => {
    late = true
    kill()
  }, limitMs)
  const stdout = collect(child.stdout, STDOUT_LIMIT_BYTES, () => {
    tooMuch = true
    kill()
  })
  const stderr = collect(child.stderr, STDERR_LIMIT_BYTES)
  const exit = await child.exited
  clearTimeout(timer)
  kill() // what it left running holds its pipes, and would run on with nobody to end it
  await Promise.race([Promise.all([stdout.ended, stderr.ended]), Bun.sleep(LEFTOVER_MS)])
  stdout.stop()
  stderr.stop()
  if (late) return { kind: 'failed', error: `did not end within ${limitMs / 1000} s and was killed` }
  if (tooMuch) return { kind: 'failed', error: `printed more than ${STDOUT_LIMIT_BYTES / 1024} KB` }
  const opinion = readOpinion(stdout.text())
  if (exit === BLOCKS)
    return { kind: 'said', opinion: blockBy(stderr.text(), opinion ?? NO_OPINION), garbled: false }
  if (exit !== 0) return { kind: 'failed', error: failureOf(exit, child.signalCode, stderr.text()) }
  return { kind: 'said', opinion: opinion ?? NO_OPINION, garbled: opinion === undefined }
}

function collect(stream: ReadableStream<Uint8Array>, limit: number, tooMuch: () => void = () => {}) {
  const reader = stream.getReader()
  const kept: Uint8Array[] = []
  let size = 0
  const read = async () => {
    for (;;) {
      const { value } = await reader.read()
      if (!value) return
      if (size < limit) kept.push(value.subarray(0, limit - size))
      if (size <= limit && size + value.length > limit) tooMuch()
      size += value.length
    }
  }
  return {
    ended: read().catch(() => {}),
    stop: () => void reader.cancel().catch(() => {}),
    text: () => Buffer.concat(kept).toString('utf8'),
  }
}

/** Names and ids come from payloads: only letters that no shell can take for anything else. */
function factsOf(event: HookEvent): Record<string, string> {
  const word = (text: string) => text.replace(/[^\w.:@+-]/g, '_').slice(0, 200)
  return {
    GANTRY_HANDLER: '1',
    GANTRY_EVENT_TYPE: word(event.type),
    GANTRY_EVENT_NATIVE: word(event.native),
    GANTRY_EVENT_ID: word(event.id),
    GANTRY_AGENT: word(event.agent),
    GANTRY_SESSION: word(event.sessionId),
  }
}

function failureOf(exit: number, signal: string | number | null, stderr: string): string {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${exit}`
  const why = stderr.trim().slice(0, 300)
  return why === '' ? how : `${how}: ${why}`
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them are gone already.
  }
}

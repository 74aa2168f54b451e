/**
 * One run of a registered command: the payload on stdin, its output on stdout. It gets a process group of its own, and
 * the whole group ends with it or at its limit, whichever comes first. Nothing of a payload is on its command line.
 */
import { type Ran, start } from '../../core/processes/exec.ts'
import type { HookEvent } from '../../events/index.ts'
import { blockBy, type HandlerOutput, NO_OUTPUT, readOutput } from './handler-output.ts'
import { type ProcessReaper, SIGN_IN } from './process-reaper.ts'

interface RunPlace {
  /** Where it runs: not in a repository, whose files could be found first. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly limitMs: number
  /** Ends it when the daemon cannot. */
  readonly will?: ProcessReaper
}

export type RunResult =
  | { readonly kind: 'said'; readonly output: HandlerOutput; readonly garbled: boolean }
  | { readonly kind: 'failed'; readonly error: string }

export interface Run {
  readonly result: Promise<RunResult>
  /** Ends the whole group. */
  kill(): void
}

const STDOUT_LIMIT_BYTES = 256 * 1024 // a longer output is discarded; a model's context is smaller than that
const BLOCKS = 2 // exit code, as for the agents' own hooks

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
  const { dir, env, limitMs, will } = place
  const line = will?.line()
  try {
    const child = start(['/bin/sh', '-c', line === undefined ? command : SIGN_IN + command], {
      cwd: dir,
      env: { ...env, ...factsOf(event) },
      group: true,
      stdin: event.raw,
      fds: line === undefined ? [] : [line],
      timeoutMs: limitMs,
      maxBytes: STDOUT_LIMIT_BYTES,
    })
    will?.add(child.pid)
    const result = child.result.then((ran) => judged(ran, limitMs)).finally(() => will?.delete(child.pid))
    return { result, kill: child.kill }
  } catch (error) {
    return {
      result: Promise.resolve({ kind: 'failed', error: `cannot be started: ${String(error)}` }),
      kill() {},
    }
  }
}

function judged({ exit, signal, stdout, stderr, isLate, isTooLong }: Ran, limitMs: number): RunResult {
  if (isLate) return { kind: 'failed', error: `did not end within ${limitMs / 1000} s and was killed` }
  if (isTooLong) return { kind: 'failed', error: `printed more than ${STDOUT_LIMIT_BYTES / 1024} KB` }
  const output = readOutput(stdout)
  if (exit === BLOCKS) return { kind: 'said', output: blockBy(stderr, output ?? NO_OUTPUT), garbled: false }
  if (exit !== 0) return { kind: 'failed', error: failureOf(exit, signal, stderr) }
  return { kind: 'said', output: output ?? NO_OUTPUT, garbled: output === undefined }
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

function failureOf(exit: number, signal: string | null, stderr: string): string {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${exit}`
  const why = stderr.trim().slice(0, 300)
  return why === '' ? how : `${how}: ${why}`
}

/** Asks an agent with its own trust model whether it lets our hooks run. Always returns, with or without an answer. */
import type { Subprocess } from 'bun'
import type { Env, HookClient, HookTrust, TrustQuestion } from '../agents/index.ts'
import { killGroup } from '../core/processes/exec.ts'
import { LineCutter } from '../core/text/line-cutter.ts'
import { within } from '../core/time/waits.ts'

const DEADLINE_MS = 8_000 // Codex 0.166.0 takes half a second, more on a busy machine
const PARTING_MS = 500
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
/** Enough to find itself and its settings, without any key. */
const ENV_NAMES = /^(PATH|HOME|USER|SHELL|LANG|LC_\w+|TMPDIR|XDG_\w+|\w+_HOME|NODE_PATH)$/

/** Undefined if it did not answer. */
export async function askTrust(
  program: string,
  question: TrustQuestion,
  {
    client,
    env,
    cwd,
    patienceMs = DEADLINE_MS,
  }: { client: HookClient; env: Env; cwd: string; patienceMs?: number },
): Promise<readonly HookTrust[] | undefined> {
  const allowed = Object.entries(env).filter(([name]) => ENV_NAMES.test(name))
  const child = Bun.spawn([program, ...question.args], {
    cwd: '/',
    env: Object.fromEntries(allowed),
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    await put(child.stdin, question.lines(cwd))
    return await within(
      firstAnswer(child.stdout, (line) => question.read(line, client)),
      patienceMs,
    )
  } catch {
    return undefined // it ended before it could be asked
  } finally {
    await part(child)
  }
}

async function put(stdin: Bun.FileSink, lines: readonly string[]): Promise<void> {
  try {
    stdin.write(lines.map((line) => `${line}\n`).join(''))
    await stdin.flush()
  } catch {
    // It has ended; its earlier output can still be read.
  }
}

/** It has open databases, so it gets a moment to close them. */
async function part(child: Subprocess): Promise<void> {
  child.kill('SIGTERM')
  await within(child.exited, PARTING_MS)
  killGroup(child.pid)
}

async function firstAnswer<T>(
  stream: ReadableStream<Uint8Array>,
  read: (line: string) => T | undefined,
): Promise<T | undefined> {
  const cutter = new LineCutter()
  let total = 0
  for await (const chunk of stream) {
    total += chunk.length
    for (const line of cutter.push(chunk)) {
      const answer = read(line)
      if (answer !== undefined) return answer
    }
    if (total > ANSWER_LIMIT_BYTES) return undefined
  }
  return undefined
}

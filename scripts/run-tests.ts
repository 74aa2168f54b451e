/**
 * Runs test files and counts. Files that fail are run once more, alone: these tests measure real processes on machines
 * that do other things, too. What passed only at the second try is named at the end; what fails twice has failed, and has a
 * line "failed: …" of its own.
 */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface Run extends Outcome {
  readonly failedFiles: readonly string[]
  readonly failedTests: readonly string[]
}

export interface TestRunner {
  /** The command for these files; none means all. */
  readonly command: (files: readonly string[]) => string[]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly limitMs: number
}

export async function runTests(runner: TestRunner, files: readonly string[]): Promise<Outcome> {
  const first = await run(runner, files)
  if (first.failed === 0) return first
  if (first.failedFiles.length === 0) {
    console.log('failed: the run itself, which ended before its tests did')
    return first
  }
  console.log(`\nOnce more, alone: ${first.failedFiles.join(', ')}\n`)
  const second = await run(runner, first.failedFiles)
  const late = first.failedTests.filter((name) => !second.failedTests.includes(name))
  if (late.length > 0)
    console.log(`\nPassed only at the second try:\n${late.map((name) => `  ${name}`).join('\n')}`)
  for (const name of second.failedTests) console.log(`failed: ${name}`)
  if (second.failed > 0 && second.failedTests.length === 0)
    console.log(`failed: outside of a test, in ${second.failedFiles.join(', ')}`)
  const total = first.passed + first.failed
  return { passed: total - second.failed, failed: second.failed, skipped: first.skipped }
}

async function run({ command, cwd, env, limitMs }: TestRunner, files: readonly string[]): Promise<Run> {
  const child = Bun.spawn(command(files), {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
    timeout: limitMs,
    killSignal: 'SIGKILL', // where a namespace holds the run, it ends with everything in it
  })
  let said = ''
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    process.stderr.write(chunk)
    said += chunk
  }
  const exit = await child.exited
  const count = (word: string) =>
    Number([...said.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
  const { failedFiles, failedTests } = failures(said)
  // A run that was cut off, or broke between two tests, has no count of its own.
  const failed = Math.max(count('fail'), exit === 0 ? 0 : 1)
  return { passed: count('pass'), failed, skipped: count('skip'), failedFiles, failedTests }
}

/** Bun names a file before its tests, and each failure as it comes; at the end it lists the failures again. */
function failures(said: string): { failedFiles: string[]; failedTests: string[] } {
  const files = new Set<string>()
  const tests = new Set<string>()
  let file = ''
  for (const line of said.split('\n')) {
    if (/^\d+ tests failed:$/.test(line)) break
    const header = /^(\S+\.tsx?):$/.exec(line)?.[1]
    if (header) file = header
    const name = /^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/.exec(line)?.[1]
    if (name === undefined && !line.startsWith('# Unhandled error')) continue
    if (file) files.add(`./${file.replace(/^\.\//, '')}`)
    if (name !== undefined) tests.add(name)
  }
  return { failedFiles: [...files], failedTests: [...tests] }
}

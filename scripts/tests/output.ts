/**
 * Parses the output of `bun test` as it comes. Bun prints a file's name before the lines of its tests, and again after
 * lines of another file; a test's errors precede its own line. An error outside of a test is between two rules,
 * sometimes under the name of another file, so its own lines tell the file. Passed tests are counted, the rest is
 * shown. The counts at its end say how many passed: a test may print what looks like a line of Bun.
 */
import { stripVTControlCharacters } from 'node:util'

interface Seen {
  passed: number
  failed: number
  skipped: number
  readonly failedFiles: Map<string, string[]>
  /** Those of which a test has ended. */
  readonly files: Set<string>
  /** Bun has counted its tests: it did not end before them. */
  isWhole: boolean
}

/** A failure that is no test's. */
export const OUTSIDE = 'outside of a test'
export const CRASH = 'the process of the file'

const HEADER = /^(\S+\.tsx?):$/
const PASSED = /^\((pass|skip|todo)\) /
const FAILED = /^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/
const CRASHED = /^✗ (\S+\.tsx?) \((.+)\)$/
const BROKEN = /^# Unhandled error/
const RULE = /^-{20,}$/
const COUNT = /^ *(\d+) (pass|skip|todo|fail|errors?|filtered out|expect\(\) calls)$/
const END = /^(?:Ran \d+ tests? across .*|error: regex .* matched 0 tests\. .*)$/

export class TestOutput {
  readonly seen: Seen = {
    passed: 0,
    failed: 0,
    skipped: 0,
    failedFiles: new Map(),
    files: new Set(),
    isWhole: false,
  }
  #counts: Record<string, number> = {}
  #file = ''
  #shownFile = ''
  #blank = ''
  #rest = ''
  #isOver = false
  /** The lines of an error outside of a test, until the rule below it. */
  #broken: string[] | undefined

  constructor(
    private readonly files: readonly string[],
    private readonly show: (line: string) => void,
  ) {}

  get file(): string {
    return this.#file
  }

  read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#line(line)
  }

  end(): void {
    if (this.#rest) this.#line(this.#rest)
    this.#rest = ''
  }

  #line(coloured: string): void {
    const line = stripVTControlCharacters(coloured)
    if (/^\d+ tests failed:$/.test(line)) this.#isOver = true // Bun lists the failures once more
    const [, count, what] = COUNT.exec(line) ?? []
    if (what !== undefined)
      this.#counts = what === 'pass' ? { pass: Number(count) } : { ...this.#counts, [what]: Number(count) }
    if (END.test(line)) this.#whole()
    if (this.#isOver || what !== undefined || END.test(line) || line.startsWith('bun test v')) return
    const header = HEADER.exec(line)?.[1]
    if (header !== undefined || PASSED.test(line)) this.#blank = ''
    if (header) this.#file = header
    else if (PASSED.test(line)) this.#passed(line)
    else this.#other(line, coloured)
  }

  #passed(line: string): void {
    this.seen.files.add(plain(this.#file))
    if (line.startsWith('(pass)')) this.seen.passed++
    else this.seen.skipped++
  }

  #whole(): void {
    const { pass = 0, skip = 0, todo = 0 } = this.#counts
    Object.assign(this.seen, { passed: pass, skipped: skip + todo, isWhole: true })
  }

  #other(line: string, shown: string): void {
    const crashed = CRASHED.exec(line)
    const name = FAILED.exec(line)?.[1] ?? (crashed ? `${CRASH}: ${crashed[2]}` : undefined)
    if (name !== undefined) this.#fail(name)
    else this.#outside(line)
    if (line.trim() === '') {
      this.#blank += '\n' // belongs to an error only when more of the error follows
      return
    }
    if (this.#shownFile !== this.#file) this.show(`\n${this.#file}:`)
    this.show((this.#shownFile === this.#file ? this.#blank : '') + shown)
    this.#blank = ''
    this.#shownFile = this.#file
  }

  #outside(line: string): void {
    if (BROKEN.test(line)) this.#broken = []
    else if (this.#broken) this.#broken.push(line)
    if (this.#broken?.filter((one) => RULE.test(one)).length !== 2) return
    const text = this.#broken.join('\n')
    this.#broken = undefined
    this.#fail(OUTSIDE, this.files.find((file) => text.includes(plain(file))) ?? this.#file)
  }

  #fail(name: string, of = this.#file): void {
    this.seen.failed++
    const file = `./${plain(of)}`
    this.seen.files.add(plain(of))
    const names = this.seen.failedFiles.get(file) ?? []
    this.seen.failedFiles.set(file, [...names, name])
  }
}

export const plain = (file: string) => file.replace(/^\.\//, '')

const QUIET_MS = 30_000
const REDRAW_MS = 100
const TICK_MS = 1_000

export class TestProgress {
  readonly #start = performance.now()
  readonly #isTerminal = process.stdout.isTTY === true
  readonly #timer: ReturnType<typeof setInterval>
  #toldAt = performance.now()

  constructor(title: string, output: TestOutput) {
    console.log(`\n${title}`)
    this.#timer = setInterval(() => this.show(output), TICK_MS) // also while nothing ends
  }

  show({ seen, file }: TestOutput): void {
    const now = performance.now()
    if (now - this.#toldAt < (this.#isTerminal ? REDRAW_MS : QUIET_MS)) return
    this.#toldAt = now
    const line = `  ${this.#counts(seen)} · ${file}`
    if (!this.#isTerminal) console.log(line)
    else process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`)
  }

  /** A line that stays. */
  say(line: string): void {
    if (this.#isTerminal) process.stdout.write('\r\x1b[2K')
    console.log(line)
  }

  end({ seen }: TestOutput): void {
    clearInterval(this.#timer)
    this.say(`  ${this.#counts(seen)}`)
  }

  #counts({ passed, failed, skipped }: Seen): string {
    const seconds = Math.round((performance.now() - this.#start) / 1000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const words = [`${time}`, `${passed} ok`]
    if (failed > 0) words.push(`${failed} not`)
    if (skipped > 0) words.push(`${skipped} skipped`)
    return words.join(' · ')
  }
}

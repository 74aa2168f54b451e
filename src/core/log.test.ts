import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { type LogOptions, openLog } from './log.ts'

function openTemp(options: LogOptions = {}) {
  const path = join(tempDir(), 'gantry.log')
  let now = Date.UTC(2026, 0, 31, 12)
  const log = openLog(path, { now: () => now, ...options })
  const pass = (ms: number) => {
    now += ms
  }
  return { path, log, pass, text: () => readFileSync(path, 'utf8'), lines: () => linesOf(path) }
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean)

describe('a line', () => {
  test('has a time, a level, a component and the message', () => {
    const { log, text } = openTemp()
    log.warn('door', 'bad frame')
    expect(text()).toBe('2026-01-31T12:00:00.000Z warn  door     bad frame\n')
  })

  test('below the level is not written', () => {
    const { log, lines } = openTemp({ level: 'warn' })
    log.debug('a', 'one')
    log.info('a', 'two')
    log.warn('a', 'three')
    log.error('a', 'four')
    expect(lines().map((line) => line.split(' ').at(-1))).toEqual(['three', 'four'])
  })

  test('is appended to a file that only its owner can read', () => {
    const { path, log } = openTemp()
    log.info('a', 'one')
    log.close()
    const again = openLog(path)
    again.info('a', 'two')
    expect(linesOf(path)).toHaveLength(2)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})

describe('untrusted text', () => {
  test('cannot drive a terminal or fake a line', () => {
    const { log, text, lines } = openTemp()
    log.info('door', 'x\u001b[2J\u001b]0;title\u0007\r\n2026-01-31 error fake \u009b31m\u2028\u0000end')
    expect(lines()).toHaveLength(1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point
    expect(text().slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
    expect(text()).toContain('x·[2J·]0;title···2026')
  })

  test('is cut to a limited length', () => {
    const { log, text } = openTemp()
    log.info('door', 'x'.repeat(1_000_000))
    expect(text().length).toBeLessThan(2100)
  })
})

describe('a repeated line', () => {
  test('within a second is counted instead', () => {
    const { log, pass, lines } = openTemp()
    for (let i = 0; i < 1000; i++) log.error('pipeline', 'disk full')
    expect(lines()).toHaveLength(1)
    pass(10)
    log.info('door', 'something else')
    expect(lines()).toHaveLength(3)
    expect(lines()[1]).toEndWith('error log      the line above was repeated 999 more times')
    expect(lines()[2]).toEndWith('something else')
  })

  test('after a second is written again', () => {
    const { log, pass, lines } = openTemp()
    log.error('pipeline', 'disk full')
    pass(1000)
    log.error('pipeline', 'disk full')
    expect(lines()).toHaveLength(2)
  })

  test('is written again after the clock was set back', () => {
    const { log, pass, lines } = openTemp()
    log.error('pipeline', 'disk full')
    pass(-3_600_000)
    log.error('pipeline', 'disk full')
    expect(lines()).toHaveLength(2)
  })

  test('is reported on close', () => {
    const { log, lines } = openTemp()
    for (let i = 0; i < 3; i++) log.error('pipeline', 'disk full')
    log.close()
    expect(lines()[1]).toEndWith('the line above was repeated 2 more times')
  })

  test('from another component or level is another line', () => {
    const { log, lines } = openTemp()
    log.error('a', 'x')
    log.error('b', 'x')
    log.warn('b', 'x')
    expect(lines()).toHaveLength(3)
  })
})

describe('rotation', () => {
  test('keeps a limited number of old files, the newest as .1, and loses no line of those', () => {
    const { path, log } = openTemp({ maxBytes: 1000, keep: 3 })
    for (let i = 0; i < 200; i++) log.info('a', `line ${i}`)
    const names = readdirSync(dirname(path)).toSorted()
    expect(names).toEqual(['gantry.log', 'gantry.log.1', 'gantry.log.2', 'gantry.log.3'])
    for (const name of names) expect(statSync(join(dirname(path), name)).size).toBeLessThanOrEqual(1000)
    const kept = ['.3', '.2', '.1', ''].flatMap((suffix) => linesOf(path + suffix))
    const numbers = kept.map((line) => Number(line.split(' ').at(-1)))
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 200 - numbers.length + i))
    expect(numbers.length).toBeGreaterThan(50)
  })

  test('counts what an earlier daemon wrote', () => {
    const { path, log } = openTemp({ maxBytes: 1000 })
    for (let i = 0; i < 15; i++) log.info('a', `line ${i}`)
    log.close()
    const again = openLog(path, { maxBytes: 1000 })
    for (let i = 0; i < 10; i++) again.info('a', `more ${i}`)
    expect(existsSync(`${path}.1`)).toBe(true)
    expect(statSync(path).size).toBeLessThan(1000)
  })

  test('goes on in the old file if it fails, and never writes into another file', () => {
    const { path, log } = openTemp({ maxBytes: 300, keep: 1 })
    log.info('a', 'one')
    // Nothing can be opened under the log's name now; the next file opened would get the free descriptor.
    mkdirSync(`${path}.1`)
    mkdirSync(join(`${path}.1`, 'in the way'))
    for (let i = 0; i < 20; i++) log.info('a', `line ${i}`)
    const victim = join(dirname(path), 'victim')
    const file = Bun.file(victim).writer()
    for (let i = 0; i < 20; i++) log.info('a', `later ${i}`)
    file.end()
    expect(existsSync(victim) ? readFileSync(victim, 'utf8') : '').toBe('')
    expect(linesOf(path).length).toBeGreaterThan(20)
  })
})

describe('when the file is gone', () => {
  test('the next line starts a new one', () => {
    const { path, log } = openTemp()
    log.info('a', 'before')
    rmSync(path)
    log.info('a', 'after')
    expect(linesOf(path).map((line) => line.split(' ').at(-1))).toEqual(['after'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('nothing breaks if its folder is gone, too', () => {
    const { path, log } = openTemp()
    rmSync(dirname(path), { recursive: true })
    log.info('a', 'nowhere to go')
    mkdirSync(dirname(path))
    chmodSync(dirname(path), 0o700)
    log.info('a', 'back again')
    expect(linesOf(path)).toHaveLength(1)
  })
})

test('a closed log writes nothing', () => {
  const { log, lines } = openTemp()
  log.info('a', 'before')
  log.close()
  log.info('a', 'after')
  expect(lines()).toHaveLength(1)
})

import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../../test/kit.ts'
import { ChildLines, LINES_FD } from './child-lines.ts'

const MODULE = join(import.meta.dir, 'child-lines.ts')

/** A child that runs this, and what it has said. */
function child(code: string) {
  const heard: object[] = []
  const script = `import { sayLine, LINES_FD } from '${MODULE}'\nimport { writeSync } from 'node:fs'\n${code}`
  const process = Bun.spawn([globalThis.process.execPath, '-e', script], {
    cwd: tempDir(),
    stdio: ['pipe', 'ignore', 'inherit', 'ignore', 'pipe'],
  })
  const lines = new ChildLines(process.stdio[LINES_FD] as number, (message) => heard.push(message))
  return { process, lines, heard }
}

describe('what a child says', () => {
  test('is heard line by line, however long it is', async () => {
    const { heard, process } = child(`sayLine({ text: 'é'.repeat(500_000) }); sayLine({ n: 2 })`)
    await until(() => heard.length === 2, 'both lines')
    expect(heard).toEqual([{ text: 'é'.repeat(500_000) }, { n: 2 }])
    await process.exited
  })

  test('can be read at once, without a turn of the event loop', () => {
    const { heard, lines, process } = child(
      `sayLine({ n: 1 }); sayLine({ n: 2 }); setInterval(() => {}, 1_000)`,
    )
    const end = performance.now() + 20_000
    while (heard.length < 2 && performance.now() < end) {
      Bun.sleepSync(5)
      lines.read()
    }
    process.kill()
    expect(heard).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('is ignored where it is no line of JSON', async () => {
    const { heard } = child(
      `for (const line of ['{', '7', 'null', '[]', '']) writeSync(LINES_FD, line + '\\n'); sayLine({ n: 1 })`,
    )
    await until(() => heard.length > 0, 'the line')
    expect(heard).toEqual([{ n: 1 }])
  })

  test('is over with the child: its descriptor may belong to another file then', async () => {
    const { heard, lines, process } = child(`sayLine({ n: 1 })`)
    await process.exited
    await until(() => heard.length > 0, 'the line')
    await until(() => !existsSync(`/proc/self/fd/${process.stdio[LINES_FD]}`), 'its end')
    const other = child(`sayLine({ n: 2 })`)
    for (let i = 0; i < 20; i++) {
      Bun.sleepSync(5)
      lines.read()
    }
    await until(() => other.heard.length > 0, 'the other line')
    expect(heard).toEqual([{ n: 1 }])
  })
})

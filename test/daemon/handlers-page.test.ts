/** The examples of docs/handlers.md, run as they stand. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GANTRY, makeHome, ROOT, run, startDaemon, tempDir } from '../kit.ts'

setDefaultTimeout(120_000)

interface Step {
  readonly command: string
  readonly output: string
}

const page = readFileSync(join(ROOT, 'docs/handlers.md'), 'utf8')

function blocks(kind: string): { name: string; text: string }[] {
  return [...page.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)]
    .filter(([, lang]) => lang === kind)
    .map(([, , name = '', text = '']) => ({ name, text }))
}

/** `$ command`, then what it prints; `[exit n]` where it is not 0. */
function steps(text: string): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { command: part.slice(0, end), output: part.slice(end + 1) }
    })
}

test('every example does what the page says', async () => {
  const at = makeHome()
  const dir = tempDir()
  await using _daemon = await startDaemon(at)
  for (const { name, text } of [...blocks('sh'), ...blocks('json')]) {
    writeFileSync(join(dir, name), text)
  }
  const examples = blocks('console').flatMap(({ text }) => steps(text))
  expect(examples.length).toBeGreaterThan(8)
  const env = { PATH: `${dirname(GANTRY)}:${process.env.PATH}`, GANTRY_NO_AUTOSTART: '1' }
  for (const { command, output } of examples) {
    const script = `cd '${dir}'; { ${command}\n} 2>&1`
    const { stdout: printed, exit } = await run(['sh', '-c', script], at, '', env)
    const stdout = printed.replaceAll('~/config/', '~/.config/gantry/')
    expect(`${command}\n${stdout}${exit === 0 ? '' : `[exit ${exit}]\n`}`).toBe(`${command}\n${output}`)
  }
})

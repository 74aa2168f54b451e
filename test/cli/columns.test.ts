/** What people read on a terminal of 80 columns: whole words, with the indent kept. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { envFor, GANTRY, gantry, makeHome, startDaemon, until } from '../kit.ts'

async function onTerminal(at: ReturnType<typeof makeHome>, ...args: string[]): Promise<string[]> {
  const child = Bun.spawn(
    ['script', '-qec', `stty cols 80; exec '${GANTRY}' ${args.join(' ')}`, '/dev/null'],
    { env: envFor(at, { TERM: 'dumb' }), stdin: 'ignore', stdout: 'pipe' },
  )
  return (await new Response(child.stdout).text()).replaceAll('\r', '').trimEnd().split('\n')
}

describe('80 columns', () => {
  test('hold every line of doctor and status', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    writeFileSync(at.configFile, '[http]\nport = "a word where a number should be"\n')
    await until(
      async () => (await gantry(at, 'status')).stdout.includes('takes a number'),
      'the wrong port in status',
    )
    for (const command of ['doctor', 'status']) {
      const lines = await onTerminal(at, command)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
      const whole = (await gantry(at, command)).stdout.trimEnd().split('\n')
      if (whole.some((line) => line.length > 80)) expect(lines.length).toBeGreaterThan(whole.length)
      const indent = command === 'doctor' ? /^(. \w+ |\s{11})/ : /^(. |\s{2})/
      for (const line of lines) expect(line).toMatch(indent)
    }
  })

  test('a pipe gets each in one line', async () => {
    const at = makeHome()
    expect((await gantry(at, 'status')).stdout.trimEnd().split('\n')).toHaveLength(1)
  })
})

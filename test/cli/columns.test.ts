/** What people read on a terminal of 80 columns, or fewer: whole words, with the indent kept. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { envFor, GANTRY, gantry, makeHome, sendFrame, startDaemon, until } from '../kit.ts'

async function onTerminal(at: ReturnType<typeof makeHome>, args: string[], width = 80): Promise<string[]> {
  const child = Bun.spawn(
    ['script', '-qec', `stty cols ${width}; exec '${GANTRY}' ${args.join(' ')}`, '/dev/null'],
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
      const lines = await onTerminal(at, [command])
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
      const whole = (await gantry(at, command)).stdout.trimEnd().split('\n')
      if (whole.some((line) => line.length > 80)) expect(lines.length).toBeGreaterThan(whole.length)
      const indent = command === 'doctor' ? /^(. \w+ |\s{11})/ : /^(. |\s{2})/
      for (const line of lines) expect(line).toMatch(indent)
    }
  })

  test.each([
    { width: 80, indent: 37 }, // of the column of words
    { width: 50, indent: 4 }, // below the name: there is no room beside it
  ])('hold the words of every guard, and so do fewer: $width', async ({ width, indent }) => {
    const at = makeHome()
    mkdirSync(at.config, { recursive: true })
    writeFileSync(at.configFile, '[guards]\npreset = "standard"\n')
    const lines = await onTerminal(at, ['guards'], width)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(width)
    const about = lines.filter((line) => /^ /.test(line))
    for (const line of about) expect(line.search(/\S/), line).toBe(indent)
    const whole = (await gantry(at, 'guards')).stdout
    const words = new Set(whole.split(/\s+/))
    for (const line of about) for (const word of line.trim().split(' ')) expect(words).toContain(word)
    expect(about.length).toBeGreaterThan(10)
  })

  test('hold every line of coverage and of efforts, below its head', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    const tool_name = 'mcp__a_server_with_a_long_name__and_a_tool_with_one'
    const call = { session_id: 's1', tool_name, tool_input: {}, tool_use_id: 't1', cwd: at.home }
    for (const hook_event_name of ['PreToolUse', 'PostToolUse'])
      await sendFrame(at, { event: hook_event_name, payload: JSON.stringify({ hook_event_name, ...call }) })
    await gantry(at, 'effort', 'start', 'implement', '--title', 'Search')
    const covered = await onTerminal(at, ['coverage'])
    for (const line of covered) expect(line.length, line).toBeLessThanOrEqual(80)
    expect(covered[1]).toContain('mcp__a_server')
    expect((await gantry(at, 'coverage')).stdout).toContain(tool_name)
    const [head = '', effort = ''] = await onTerminal(at, ['effort', 'list'])
    expect(head.indexOf('SKILL')).toBe(effort.indexOf('implement'))
    expect(head.indexOf('TASK')).toBe(effort.indexOf('Search'))
    expect(head.indexOf('CALLS') + 5).toBe(head.indexOf('  CONTEXT'))
  })

  test('with every guard off is two lines, and --all lists them', async () => {
    const at = makeHome()
    const { stdout } = await gantry(at, 'guards')
    expect(stdout).toMatch(
      /^preset off .*gantry guards preset standard\n\d+ guards are off: gantry guards --all\n$/,
    )
    expect((await gantry(at, 'guards', '--all')).stdout).toContain('delete-system  ')
    expect(JSON.parse((await gantry(at, 'guards', '--json')).stdout).guards.length).toBeGreaterThan(50)
    await gantry(at, 'guards', 'set', 'delete-system', 'deny')
    expect((await gantry(at, 'guards')).stdout).toMatch(
      /\ndelete-system .*\n\d+ guards are off: .*\n\* set by you/,
    )
  })

  test('hold every line of help, and its words whole', async () => {
    const at = makeHome()
    for (const help of [['--help'], ['events', '--help'], ['bus', 'subscribe', '--help']]) {
      const lines = await onTerminal(at, help)
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
      const words = (text: string) => text.trim().split(/\s+/)
      expect(words(lines.join('\n'))).toEqual(words((await gantry(at, ...help)).stdout))
    }
  })

  test('hold every row of config show with its source, and all of a long value', async () => {
    const at = makeHome('[[notify.channels]]\nname = "phone"\nkind = "bell"\n')
    const lines = await onTerminal(at, ['config', 'show'])
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
    const indent = lines[0]?.search(/\S+ +\S+$/) ?? 0
    const first = lines.findIndex((line) => line.startsWith('notify.channels.0.reasons'))
    const next = lines.findIndex((line, i) => i > first && !line.startsWith(' '))
    const [row = '', ...more] = lines.slice(first, next)
    expect(row).toEndWith('  default')
    const value = [row.slice(indent, -'default'.length), ...more].map((line) => line.trim()).join('')
    const piped = (await gantry(at, 'config', 'show', 'notify.channels.0.reasons')).stdout
    expect(piped).toBe(`notify.channels.0.reasons  ${value}  default\n`)
    expect(more.length).toBeGreaterThan(0)
  })

  test('a pipe gets each in one line', async () => {
    const at = makeHome()
    expect((await gantry(at, 'status')).stdout.trimEnd().split('\n')).toHaveLength(1)
  })
})

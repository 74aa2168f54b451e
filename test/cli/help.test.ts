/** Every command explains itself, in `--help` and in the manual, and colours only where somebody sees them. */
import { describe, expect, test } from 'bun:test'
import { OWNER_COMMANDS } from '../../src/agents/inside-agent.ts'
import { VISIBLE_COMMANDS } from '../../src/cli/commands.ts'
import { GANTRY, gantry, makeHome, ROOT, run } from '../kit.ts'

const home = makeHome()
const MARK = '--- exit '
/** Every so many by the program itself, too. */
const ALONE = 8
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
const COLOURS = /\u001b\[/

describe('every command', () => {
  test('has a summary of one line, an example that runs it, and code', async () => {
    for (const { name, summary, options = {}, examples = {}, load } of VISIBLE_COMMANDS) {
      expect(await load(), name).toBeFunction()
      expect(summary, name).toMatch(/^[A-Z][^\n]*[^.\n]$/)
      expect(Object.keys(examples), name).not.toEqual([])
      for (const [line, does] of Object.entries(examples)) {
        expect(line, name).toContain(`gantry ${name}`)
        expect(does, line).not.toBe('')
      }
      for (const [option, { help }] of Object.entries(options)) expect(help, `${name} ${option}`).not.toBe('')
    }
  })

  test('that only a person may use is one of them', () => {
    const names = new Set(VISIBLE_COMMANDS.map(({ name }) => name))
    expect([...OWNER_COMMANDS].filter((name) => !names.has(name))).toEqual([])
  })

  test('says what is missing in whole sentences, which "See: …" follows', () => {
    for (const { name, args = [] } of VISIBLE_COMMANDS)
      for (const { missing } of args) if (missing) expect(missing, name).toMatch(/^(?!.*See:).*[.?…]$/)
  })

  test('answers --help with exit 0, its usage and its examples, without a daemon', async () => {
    // All in one process, which takes no longer than two of them.
    const code = `import { main } from '${ROOT}/src/cli/main.ts'
for (const name of ${JSON.stringify(VISIBLE_COMMANDS.map(({ name }) => name))})
  console.log('${MARK}' + (await main([...name.split(' '), '--help'])))`
    const all = await run([process.execPath, '-e', code], home)
    expect(all).toMatchObject({ exit: 0, stderr: '' })
    const [...answers] = all.stdout.matchAll(new RegExp(`([^]*?)${MARK}(.*)\n`, 'g'))
    expect(answers).toHaveLength(VISIBLE_COMMANDS.length)
    for (const [i, { name }] of VISIBLE_COMMANDS.entries()) {
      const [, said = '', exit] = answers[i] ?? []
      expect(exit, name).toBe('0')
      expect(said, name).toContain(`Usage: gantry ${name}`)
      expect(said, name).toContain('Examples:')
      if (i % ALONE === 0)
        expect(await gantry(home, ...name.split(' '), '--help')).toEqual({
          exit: 0,
          stdout: said,
          stderr: '',
        })
    }
  })
})

describe('colours', () => {
  const help = (env: Record<string, string>) => run([GANTRY, '--help'], home, '', env)

  test('are not in what goes to a pipe, unless FORCE_COLOR asks for them', async () => {
    expect((await help({})).stdout).not.toMatch(COLOURS)
    expect((await help({ FORCE_COLOR: '1' })).stdout).toMatch(COLOURS)
    expect((await help({ FORCE_COLOR: '0' })).stdout).not.toMatch(COLOURS)
  })

  test('are on a terminal, unless NO_COLOR asks for none', async () => {
    const onTerminal = (env: Record<string, string>) =>
      run(['script', '-qec', `${GANTRY} --help`, '/dev/null'], home, '', { TERM: 'xterm', ...env })
    expect((await onTerminal({})).stdout).toMatch(COLOURS)
    expect((await onTerminal({ NO_COLOR: '1' })).stdout).not.toMatch(COLOURS)
    expect((await onTerminal({ TERM: 'dumb' })).stdout).not.toMatch(COLOURS)
  })
})

describe('the manual', () => {
  test('has every command, and groff finds nothing wrong with it', async () => {
    const { stdout: page } = await gantry(home, 'man')
    const shown = await run(['groff', '-man', '-Tutf8', '-ww', '-z'], home, page)
    expect(shown).toEqual({ exit: 0, stdout: '', stderr: '' })
    const { stdout: text } = await run(['groff', '-man', '-Tascii', '-P-cbou', '-rLL=200n'], home, page)
    const has = (said: string) => expect(text.includes(said), `the manual says "${said}"`).toBe(true)
    for (const { name } of VISIBLE_COMMANDS) has(`gantry ${name}`)
    has('--home dir')
  })
})

/** What is typed wrong is said, with what was meant; what is typed in another order is understood. */
import { describe, expect, test } from 'bun:test'
import { GANTRY, gantry, makeHome, run, startDaemon } from '../kit.ts'

const home = makeHome()

describe('a command line', () => {
  test('"gantry help up" is the help of up, of a group and of a command in one', async () => {
    const asked = await gantry(home, 'help', 'up')
    expect(asked).toEqual(await gantry(home, 'up', '--help'))
    expect(asked.stdout).toContain('Usage: gantry up')
    expect((await gantry(home, 'help', 'bus', 'status')).stdout).toContain('Usage: gantry bus status')
    expect((await gantry(home, 'help', 'bus')).stdout).toContain('Usage: gantry bus <command>')
    expect((await gantry(home, 'help')).stdout).toContain('Start with: gantry up')
    expect((await gantry(home, 'help', 'upp')).exit).toBe(2)
  })

  test('takes --home and --verbose before the command', async () => {
    const other = makeHome()
    const bare = (...words: string[]) => run([GANTRY, ...words], home)
    const before = await bare('--home', other.home ?? '', 'status', '--json')
    expect(before.stdout).toContain('"running":false')
    expect((await bare(`--home=${other.home}`, '--verbose', 'status')).stdout).toContain('gantry is down')
  })

  test('with --home alone says that the folder is missing', async () => {
    expect(await run([GANTRY, '--home'], home)).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: 'gantry: The folder is missing: gantry --home <folder> <command>\n',
    })
  })

  test('whose output finds no space says so in a line, also without a command', async () => {
    for (const words of ['help', '--version', 'bus', 'up --help']) {
      const ran = await run(['sh', '-c', `"$0" ${words} > /dev/full`, GANTRY], home)
      expect(ran, words).toMatchObject({
        exit: 1,
        stderr: expect.stringMatching(/^gantry: The output cannot be written: no space left[^\n]*\n$/),
      })
    }
  })

  test('that has more than the command takes is refused, with what is too much', async () => {
    for (const words of [
      ['sessions', 'extra', 'arg'],
      ['status', 'extra'],
      ['events', 'extra'],
      ['up', 'now'],
    ]) {
      const ran = await gantry(home, ...words)
      expect(ran.exit).toBe(2)
      expect(ran.stderr).toContain('takes no argument')
      expect(ran.stderr).toContain(`"${words[1]}"`)
    }
    expect((await gantry(home, 'session', 'a', 'b')).stderr).toContain('takes one argument; too much: "b"')
  })

  test('with a name that is nearly one says which was meant', async () => {
    expect((await gantry(home, 'staus')).stderr).toContain('Did you mean "gantry status"?')
    expect((await gantry(home, 'config', 'get')).stderr).toContain('Did you mean "gantry config show"?')
    expect((await gantry(home, 'bus', 'subscrib')).stderr).toContain('Did you mean "gantry bus subscribe"?')
    expect((await gantry(home, 'status', '--jsn')).stderr).toContain('Did you mean --json?')
    const says = async (...words: string[]) => (await gantry(home, ...words)).stderr
    expect(await says('rules', 'tset')).toContain('There is no "rules tset". Did you mean test?')
    const typed = await run([GANTRY, 'rules', 'test', '-'], home, 'not json')
    expect(typed.stderr).toContain('stdin is not JSON')
    expect(await says('guards', 'set', 'git-force-push', 'foo')).toContain(
      'There is no mode "foo". There are: off,',
    )
    expect(await says('guards', 'preset', 'standart')).toContain(
      'There is no preset "standart". Did you mean standard? There are: off, watch, standard, strict.',
    )
    expect(await says('guards', 'set', 'kill-name', 'off')).toContain('Did you mean kill-by-name?')
    expect(await says('rules', 'test')).toContain('Name a payload or a --command')
    expect(await says('install', 'clade')).toContain('There is no agent "clade". Did you mean claude?')
    expect(await says('sessions', '--dialect', 'cop')).toContain(
      'There is no dialect "cop". Did you mean coop?',
    )
    expect(await says('sessions', '--dialect', 'klingon')).toContain('There are: gantry, coop')
    expect((await gantry(home, 'entirely-else')).stderr).not.toContain('Did you mean')
    expect((await gantry(home, 'import')).stderr).not.toContain('Did you mean') // half of it is another word
    expect(await says('completions', 'tcsh')).toContain('There are: bash, zsh, fish')
  })

  test('with a value that cannot be is refused in words of its own, and not those of a library', async () => {
    const home = makeHome()
    await using _daemon = await startDaemon(home)
    for (const args of ['{"limit":"x"}', '{"limit":-1}', '{"nonsense":1}', '[]', '7']) {
      const { exit, stderr } = await gantry(home, 'rpc', 'events.list', args)
      expect(exit, args).not.toBe(0)
      expect(stderr, args).not.toMatch(
        /Invalid input|expected .* received|Too small|Unrecognized key|ZodError/,
      )
    }
  })

  test('with an option before the command that nobody knows speaks of the option', async () => {
    const bare = (...words: string[]) => run([GANTRY, ...words], home)
    expect(await bare('--entirely-else', 'status')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(
        "Unknown option '--entirely-else'. Options of a command come after its name.",
      ),
    })
    expect((await bare('--hom', 'x', 'status')).stderr).toContain('Did you mean --home?')
  })
})

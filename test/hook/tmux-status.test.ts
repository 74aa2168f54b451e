/** `gantry-hook --tmux-status`: the line that the daemon keeps, while it does. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATIVE, openBox, SANITIZED, useClients } from './clients.ts'

useClients()

const NOBODY = 999_999_999 // above the highest pid there is

describe.each([NATIVE, SANITIZED].map((client) => [client.name, client] as const))(
  'the %s client',
  (_, client) => {
    test.each([
      ['a line', `${process.pid}\n#[fg=red]✖1#[default]\n`, '#[fg=red]✖1#[default]\n'],
      ['no line', `${process.pid}\n\n`, '\n'],
      ['nothing after the pid', `${process.pid}\n`, ''],
    ])('prints what is kept: %s', async (_name, text, printed) => {
      const box = openBox(client)
      writeFileSync(join(box.home, 'run/tmux-status'), text)
      const { code, stdout, stderr } = await box.run(['--tmux-status'])
      expect([code, stdout.toString(), stderr]).toEqual([0, printed, ''])
      const other = await box.run(['--home', box.home, '--tmux-status'], { env: { GANTRY_HOME: '/nowhere' } })
      expect(other.stdout.toString()).toBe(printed)
      expect(await box.starts(0)).toEqual([])
    })

    test.each([
      ['no file', undefined],
      ['of a daemon that is gone', `${NOBODY}\nold\n`],
      ['an empty file', ''],
      ['no pid', 'line\n'],
      ['a negative pid', '-1\nline\n'],
      ['the pid 0', '0\nline\n'],
      ['a pid without an end', '1234567890123'],
      ['zero bytes', '\0'.repeat(9_000)],
    ])('asks gantry where nobody keeps it: %s', async (_name, text) => {
      const box = openBox(client)
      if (text !== undefined) writeFileSync(join(box.home, 'run/tmux-status'), text)
      const { stdout } = await box.run(['--tmux-status'])
      expect(stdout.toString()).not.toContain('line')
      expect((await box.starts(1)).map(({ args, home }) => [args, home])).toEqual([
        ['tmux status --fresh', box.home],
      ])
    })

    test('reads no link and no folder', async () => {
      const box = openBox(client)
      writeFileSync(join(box.root, 'secret'), `${process.pid}\nsecret\n`)
      symlinkSync(join(box.root, 'secret'), join(box.home, 'run/tmux-status'))
      expect((await box.run(['--tmux-status'])).stdout.toString()).toBe('')
      const other = openBox(client)
      mkdirSync(join(other.home, 'run/tmux-status'))
      expect((await other.run(['--tmux-status'])).stdout.toString()).toBe('')
    })

    test('prints a line that is too long only in part', async () => {
      const box = openBox(client)
      writeFileSync(join(box.home, 'run/tmux-status'), `${process.pid}\n${'x'.repeat(100_000)}\n`)
      const { code, stdout } = await box.run(['--tmux-status'])
      expect(code).toBe(0)
      expect(stdout.length).toBeLessThan(5_000)
    })

    test('is no hook', async () => {
      const box = openBox(client)
      const { code, stderr } = await box.run(['claude', '--tmux-status'])
      expect(code).toBe(1)
      expect(stderr).toStartWith('gantry-hook: --tmux-status takes no arguments\n')
    })
  },
)

/** What went wrong at the start, or since, is in `gantry up` and `gantry status`, and not only in the log. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { endDaemon, GANTRY, gantry, gantryJson, makeHome, run, until } from '../kit.ts'
import { startServer } from '../nats-kit.ts'

setDefaultTimeout(120_000)

const GONE = /^(?:●| {2}!) .*NATS/m // a line of its own, before the rest

test('a port that is taken is said, with the way out; the folder of the configuration is in up, status and doctor, with the daemon away, too', async () => {
  const script =
    'use IO::Socket::INET; my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 0) or die; $| = 1; print $s->sockport, "\\n"; sleep 60'
  const other = Bun.spawn(['perl', '-e', script], { stdout: 'pipe' })
  const { value } = await other.stdout.getReader().read()
  const at = makeHome(`[http]\nport = ${Number(new TextDecoder().decode(value))}\n`)
  try {
    const away = await gantry(at, 'doctor')
    const up = await gantry(at, 'up')
    expect(up).toMatchObject({ exit: 0 })
    expect(up.stdout).toMatch(/! port \d+ is taken, so HTTP listens on \d+\. .*set another http\.port/)
    const status = await gantry(at, 'status')
    expect(status.stdout).toMatch(/^● gantry .* up .*\n {2}port \d+ is taken/)
    expect(await gantryJson(at, 'status', '--json')).toMatchObject({ problems: [{ about: 'http' }] })
    for (const { stdout } of [away, up, status, await gantry(at, 'doctor')])
      expect(stdout).toContain(at.config)
  } finally {
    await endDaemon(at)
    other.kill()
  }
})

test('a broken database that was replaced is said, with where it is kept', async () => {
  const at = makeHome()
  mkdirSync(dirname(at.database), { recursive: true, mode: 0o700 })
  writeFileSync(at.database, 'this is not a database, and never was one. '.repeat(200))
  try {
    const up = await gantry(at, 'up')
    expect(up.stdout).toContain('the database was broken and is kept as')
    expect((await gantry(at, 'status')).stdout).toContain('the database was broken and is kept as')
  } finally {
    await endDaemon(at)
  }
})

test('a NATS server that went away is said by both, and no longer when it is back', async () => {
  const server = await startServer()
  const at = makeHome(`[nats]\nmode = "external"\nurl = "${server.url}"\n`)
  const ask = (name: string) => run([GANTRY, name], at, '', { GANTRY_NATS: '' })
  const says = (name: string, words: RegExp) =>
    until(async () => words.test((await ask(name)).stdout), `${words} in gantry ${name}`, 30_000)
  try {
    await ask('up')
    await says('status', /nats:.* \(external\)/)
    await server.kill('SIGKILL')
    await says('status', GONE)
    await says('up', GONE)
    await server.start()
    await until(async () => !GONE.test((await ask('status')).stdout), 'that it is back')
  } finally {
    await endDaemon(at)
    await server.kill('SIGKILL')
  }
})

test('a nats-server that gantry starts is named by up, with the way to have none, which works', async () => {
  const at = makeHome('[nats]\nport = 0\n')
  const ask = (...words: string[]) => run([GANTRY, ...words], at, '', { GANTRY_NATS: '' })
  try {
    const { stdout } = await ask('up')
    expect(stdout).toContain(`gantry runs ${Bun.which('nats-server')} for it, on 127.0.0.1 alone.`)
    const [, line = ''] = /Not wanted\? gantry (.*)/.exec(stdout) ?? []
    expect(await ask(...line.split(' '))).toMatchObject({ exit: 0, stderr: '' })
    await until(async () => !(await ask('status')).stdout.includes('nats'), 'that there is none')
  } finally {
    await endDaemon(at, 'SIGTERM')
  }
})

test('a gantry that cannot be called by its name is said by up, with the line that makes it so', async () => {
  const at = makeHome()
  const PATH = '/usr/bin:/bin'
  try {
    const first = await run([GANTRY, 'up'], at, '', { PATH })
    expect(first.stdout).toContain('"gantry" is not on your PATH')
    const line = first.stdout.split('\n').find((one) => one.includes('ln -sf')) ?? ''
    const found = await run(['sh', '-c', `${line} && command -v gantry && gantry status`], at, '', { PATH })
    expect(found).toMatchObject({ exit: 0, stderr: '' })
    await endDaemon(at)
    const again = await run([GANTRY, 'up'], at, '', { PATH: `${at.home}/.local/bin:${PATH}` })
    expect(again).toMatchObject({ exit: 0 })
    expect(again.stdout).not.toContain('PATH')
  } finally {
    await endDaemon(at)
  }
})

/** What went wrong at the start, or since, is in `gantry up` and `gantry status`, and not only in the log. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { endDaemon, gantry, gantryJson, makeHome } from '../kit.ts'

setDefaultTimeout(60_000)

test('a port that is taken is said, with the way out', async () => {
  const script =
    'use IO::Socket::INET; my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 0) or die; $| = 1; print $s->sockport, "\\n"; sleep 60'
  const other = Bun.spawn(['perl', '-e', script], { stdout: 'pipe' })
  const { value } = await other.stdout.getReader().read()
  const at = makeHome(`[http]\nport = ${Number(new TextDecoder().decode(value))}\n`)
  try {
    const up = await gantry(at, 'up')
    expect(up).toMatchObject({ exit: 0 })
    expect(up.stdout).toMatch(/! port \d+ is taken, so HTTP listens on \d+\. .*set another http\.port/)
    expect((await gantry(at, 'status')).stdout).toContain('is taken')
    expect(await gantryJson(at, 'status', '--json')).toMatchObject({ problems: [{ about: 'http' }] })
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

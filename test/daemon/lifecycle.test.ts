/** Up, down, status and everything a person types around them, against the real program. */
import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { VISIBLE_COMMANDS } from '../../src/cli/commands.ts'
import { type Places, places } from '../../src/core/files/paths.ts'
import { statOf } from '../../src/core/processes/proc.ts'
import { VERSION } from '../../src/core/version.ts'
import {
  daemonPid,
  endDaemon,
  GANTRY,
  gantry,
  gantryJson,
  isGone,
  journal,
  makeHome,
  type Ran,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const started: Places[] = []
afterAll(async () => {
  for (const at of started) await endDaemon(at)
})

/** A home whose daemon, however it was started, ends with this file. */
function home(): Places {
  const at = makeHome()
  started.push(at)
  return at
}

/** One that was started once, for those who only look at it. */
let first: Promise<{ at: Places; said: Ran }> | undefined
const oneUp = () => {
  const start = async () => {
    const at = home()
    return { at, said: await gantry(at, 'up') }
  }
  first ??= start()
  return first
}

const mode = (path: string) => statSync(path).mode & 0o777

/** All files and folders below, but not the home itself and what the test put there. */
function everythingIn(at: Places): string[] {
  return [at.config, at.state, at.run].flatMap((dir) => [
    dir,
    ...(readdirSync(dir, { recursive: true }) as string[]).map((name) => join(dir, name)),
  ])
}

describe('gantry up', () => {
  test('starts the daemon in the background and says where it listens', async () => {
    const { at, said } = await oneUp()
    const { exit, stdout, stderr } = said
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toContain(`gantry ${VERSION}`)
    expect(stdout).toContain(at.socket)
    expect(stdout).toContain(JSON.parse(readFileSync(at.http, 'utf8')).url)
    expect(await sendFrame(at, { payload: '{}' })).toEqual({ exit: 0, stdout: '', stderr: '' })
  })

  test('a second time says so, changes nothing and is fine', async () => {
    const { at } = await oneUp()
    const pid = daemonPid(at)
    const { exit, stdout } = await gantry(at, 'up')
    expect(exit).toBe(0)
    expect(stdout).toContain(`already up (pid ${pid})`)
    expect(daemonPid(at)).toBe(pid)
    expect((await gantry(at, 'up', '--quiet')).stdout).toBe('')
  })

  test('many times at once starts one daemon, and all are fine', async () => {
    const at = home()
    const all = await Promise.all(Array.from({ length: 4 }, () => gantry(at, 'up')))
    expect(all.map(({ exit, stderr }) => `${exit}${stderr}`)).toEqual(['0', '0', '0', '0'])
    const pids = all.map(({ stdout }) => /\(pid (\d+)\)/.exec(stdout)?.[1])
    expect(new Set(pids)).toEqual(new Set([String(daemonPid(at))]))
  })

  test('leaves a daemon that outlives its terminal and holds none of its pipes', async () => {
    const at = home()
    // The shell's output ends only when every holder of the pipe is gone.
    const { stdout } = await run(['sh', '-c', `${GANTRY} up --quiet; echo done`], at)
    expect(stdout).toBe('done\n')
    expect(daemonPid(at)).toBeNumber()
    expect(statOf(daemonPid(at) ?? 0)?.session).toBe(daemonPid(at)) // a session of its own
  })

  test('in the foreground while another runs fails with the reason', async () => {
    const { at } = await oneUp()
    const { exit, stderr } = await gantry(at, 'up', '--foreground')
    expect(exit).toBe(1)
    expect(stderr).toContain(`gantry is already running (pid ${daemonPid(at)}) for ${at.state}`)
    expect(stderr).toContain('gantry down')
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('with a home too deep for a socket says so and what to do', async () => {
    const at = places({}, join(tempDir(), 'x'.repeat(120)))
    const { exit, stderr } = await gantry(at, 'up')
    expect(exit).toBe(1)
    expect(stderr).toContain('longer than the system allows')
    expect(stderr).toContain('GANTRY_HOME')
  })

  test('does not remove what is in the way of its socket and is not a socket', async () => {
    const at = home()
    mkdirSync(at.run, { mode: 0o700 })
    writeFileSync(at.socket, 'precious')
    const { exit, stderr } = await gantry(at, 'up')
    expect(exit).toBe(1)
    expect(stderr).toContain(`${at.socket} exists and is not a socket`)
    expect(readFileSync(at.socket, 'utf8')).toBe('precious')
  })

  test('takes --home instead of the environment', async () => {
    const at = home()
    const elsewhere = makeHome()
    const { exit } = await gantry(elsewhere, 'up', '--home', at.home ?? '')
    expect(exit).toBe(0)
    expect(existsSync(at.socket)).toBe(true)
    expect(existsSync(elsewhere.socket)).toBe(false)
  })
})

describe('files and folders', () => {
  test('are for their owner alone, also when they were open before', async () => {
    const at = home()
    for (const dir of [at.config, at.state, at.run, at.spool]) {
      mkdirSync(dir, { recursive: true })
      chmodSync(dir, 0o777)
    }
    chmodSync(at.configFile, 0o600)
    await using _daemon = await startDaemon(at)
    await sendFrame(at, { payload: '{}' })
    const open = everythingIn(at).filter((path) => {
      const wanted = statSync(path).isDirectory() ? 0o700 : 0o600
      return mode(path) !== wanted
    })
    expect(open).toEqual([])
    expect(everythingIn(at)).toContain(`${at.database}-wal`)
    expect(statSync(at.socket).isSocket()).toBe(true)
  })

  test('the socket is found through the state folder, too', async () => {
    const { at } = await oneUp()
    expect(statSync(at.socketLink).isSocket()).toBe(true)
  })
})

describe('gantry down', () => {
  test('stops the daemon and takes away what tells others where it is', async () => {
    const at = home()
    await gantry(at, 'up')
    const pid = daemonPid(at) ?? 0
    await sendFrame(at, { payload: '{"session_id":"s1"}' })
    const { exit, stdout } = await gantry(at, 'down')
    expect(exit).toBe(0)
    expect(stdout).toStartWith(`gantry is down; 1 event is in ${at.database}\n`)
    expect(isGone(pid)).toBe(true)
    for (const path of [at.socket, at.socketLink, at.pid, at.http]) expect(existsSync(path)).toBe(false)
    // The database is at rest: one file.
    expect(readdirSync(at.state).filter((name) => name.startsWith('gantry.db'))).toEqual(['gantry.db'])
    expect(journal(at)).toHaveLength(1)
  })

  test('when nothing runs says so and is fine', async () => {
    const { exit, stdout, stderr } = await gantry(home(), 'down')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toStartWith('gantry is not running\n')
  })
})

describe('gantry status', () => {
  test('of a daemon is one line and exit 0, and all of it as JSON', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    await sendFrame(at, { payload: '{"session_id":"s1","hook_event_name":"Stop"}' })
    const { exit, stdout } = await gantry(at, 'status')
    expect(exit).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stdout).toContain(`(pid ${daemonPid(at)})`)
    expect(stdout).toContain('1 event,')
    const status = (await gantryJson(at, 'status', '--json')) as Record<string, unknown>
    expect(status).toMatchObject({
      running: true,
      version: VERSION,
      pid: daemonPid(at),
      startedAt: expect.any(Number),
      socket: at.socket,
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      database: at.database,
      events: 1,
      lastSeq: 1,
      taken: 1,
      unstored: 0,
      fault: null,
      spooled: 0,
      databaseBytes: expect.any(Number),
      memoryBytes: expect.any(Number),
      connections: expect.any(Number),
      subscribers: 0,
      configProblem: null,
      log: at.log,
    })
  })

  test('without one is exit 1, says how to start it, and is JSON when asked for', async () => {
    const at = home()
    const { exit, stdout } = await gantry(at, 'status')
    expect(exit).toBe(1)
    expect(stdout).toContain('gantry up')
    const json = await gantry(at, 'status', '--json')
    expect(json.exit).toBe(1)
    expect(JSON.parse(json.stdout)).toEqual({ running: false })
  })
})

describe('after kill -9', () => {
  test('the stale socket and pid are no obstacle, and nothing needs repair', async () => {
    const at = home()
    const first = await startDaemon(at)
    await sendFrame(at, { id: 'kept', payload: '{}' })
    await first.kill('SIGKILL')
    for (const path of [at.socket, at.pid, at.http]) expect(existsSync(path)).toBe(true)
    // It is not taken for alive,
    expect((await gantry(at, 'status')).exit).toBe(1)
    expect((await gantry(at, 'down')).stdout).toStartWith('gantry is not running\n')
    // and the next start needs no help.
    expect(await gantry(at, 'up')).toMatchObject({ exit: 0, stderr: '' })
    expect(await sendFrame(at, { id: 'new', payload: '{}' })).toMatchObject({ exit: 0 })
    expect(journal<{ id: string }>(at).map(({ id }) => id)).toEqual(['kept', 'new'])
    expect(JSON.parse(readFileSync(at.http, 'utf8')).pid).toBe(daemonPid(at))
  })

  test('a pid that somebody else has now is not harmed', async () => {
    const at = home()
    mkdirSync(at.run, { mode: 0o700, recursive: true })
    const bystander = Bun.spawn(['sleep', '60'])
    writeFileSync(at.pid, `${bystander.pid}\n`)
    expect((await gantry(at, 'down')).stdout).toStartWith('gantry is not running\n')
    expect((await gantry(at, 'up')).exit).toBe(0)
    expect(bystander.killed).toBe(false)
    expect(isGone(bystander.pid)).toBe(false)
    bystander.kill()
  })
})

describe('a daemon whose files are removed', () => {
  test('ends when that is its home, and makes no new one', async () => {
    const at = makeHome()
    const daemon = await startDaemon(at)
    rmSync(at.home ?? '', { recursive: true })
    await until(() => isGone(daemon.pid), 'the end of the daemon')
    for (const path of [at.database, at.socket, at.pid]) expect(existsSync(path)).toBe(false)
  })
})

describe('help', () => {
  test('gantry, gantry help and gantry --help list every command', async () => {
    const at = makeHome()
    for (const args of [[], ['help'], ['--help'], ['-h']]) {
      const { exit, stdout } = await gantry(at, ...args)
      expect(exit).toBe(0)
      for (const { name } of VISIBLE_COMMANDS) expect(stdout).toContain(name)
      expect(stdout).not.toContain('read-worker')
    }
  })

  test('gantry --version, -v and version say the version', async () => {
    const at = makeHome()
    for (const word of ['--version', '-v', 'version']) {
      expect(await gantry(at, word)).toEqual({ exit: 0, stdout: `gantry ${VERSION}\n`, stderr: '' })
    }
  })
})

describe('wrong usage is exit 2, one line, and the way to the help', () => {
  const wrong: string[][] = [
    ['nope'],
    ['constructor'],
    ['__proto__'],
    ['--json'],
    ['status', '--nope'],
    ['status', '--json=yes'],
    ['up', '-x'],
    ['events', '--limit', 'many'],
    ['events', '--limit', '0'],
    ['events', '--since', 'yesterday'],
    ['events', '--session'],
    ['query'],
    ['query', 'SELECT 1', '--limit', '-5'],
    ['rpc', 'status', '{not json'],
  ]
  for (const args of wrong) {
    test(`gantry ${args.join(' ')}`, async () => {
      const { exit, stdout, stderr } = await gantry(makeHome(), ...args)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^gantry: /)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(exit).toBe(2)
    })
  }
})

describe('with the daemon away', () => {
  for (const args of [['events'], ['query', 'SELECT 1'], ['rpc'], ['rpc', 'status']]) {
    test(`gantry ${args.join(' ')} says how to start it`, async () => {
      const { exit, stdout, stderr } = await gantry(makeHome(), ...args)
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
      expect(stderr).toBe('gantry: The daemon is not running. Start it with: gantry up\n')
    })
  }

  test('gantry doctor still works, and counts what waits in the spool', async () => {
    const at = makeHome()
    mkdirSync(at.spool, { recursive: true, mode: 0o700 })
    writeFileSync(join(at.spool, 'x.frame'), '')
    const findings = (await gantryJson(at, 'doctor', '--json')) as { about: string; message: string }[]
    expect(findings).toContainEqual(
      expect.objectContaining({ about: 'daemon', level: 'warn', fix: 'gantry up' }),
    )
    expect(findings).toContainEqual(
      expect.objectContaining({ about: 'spool', message: '1 event waits in the spool' }),
    )
  })
})

test('the command works through a link from anywhere', async () => {
  const dir = tempDir()
  symlinkSync(GANTRY, join(dir, 'one'))
  symlinkSync('one', join(dir, 'two'))
  const { stdout } = await run([join(dir, 'two'), '--version'], makeHome())
  expect(stdout).toBe(`gantry ${VERSION}\n`)
})

test('--verbose shows where an error comes from, and nothing else does', async () => {
  const at = makeHome()
  expect((await gantry(at, 'events')).stderr).not.toContain('    at ')
  expect((await gantry(at, 'events', '--verbose')).stderr).toContain('    at ')
})

test('a signal stops a daemon in the foreground cleanly; the token is made once and kept', async () => {
  const at = makeHome()
  const tokens = new Set<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const daemon = await startDaemon(at)
    tokens.add(readFileSync(at.token, 'utf8'))
    expect(await daemon.kill(signal)).toBe(0)
    await until(() => !existsSync(at.socket), 'the socket to be gone')
    expect(existsSync(at.pid)).toBe(false)
  }
  expect([...tokens]).toEqual([expect.stringMatching(/^[\w-]{43}\n$/)])
})

test('an upgrade in a checkout, where every commit has the same version, restarts the daemon', async () => {
  const at = home()
  await gantry(at, 'up')
  const before = daemonPid(at)
  expect(await gantry(at, 'upgrade')).toMatchObject({ exit: 0 })
  expect(daemonPid(at)).not.toBe(before)
})

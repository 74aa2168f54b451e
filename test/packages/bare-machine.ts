/**
 * A root folder with Node, npm, a shell and nothing else: no compiler, no Bun, no git, no tmux. Programs in it see no other
 * file of this machine.
 *
 *   using machine = openMachine(folder)
 *   machine.run(['npm', '--version'])
 *
 * Needs root in a mount namespace of its own, where `npm run test:agents` runs its files.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Ran } from '../kit.ts'

/** A shell script needs these even on the smallest machine. */
const PROGRAMS = ['sh', 'env', 'uname', 'readlink']
const DEVICES = ['null', 'zero', 'random', 'urandom']
const RUN_LIMIT_MS = 120_000

export interface Machine extends Disposable {
  readonly root: string
  readonly home: string
  run(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>
  /** Brings a program and its libraries in. */
  add(program: string, to: string): void
}

export function openMachine(root: string): Machine {
  for (const dir of ['bin', 'usr/bin', 'usr/local/bin', 'usr/local/lib', 'etc', 'proc', 'dev', 'root', 'tmp'])
    mkdirSync(join(root, dir), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  const add = (program: string, to: string) => {
    copyWhole(realpathSync(program), join(root, to))
    for (const library of librariesOf(program)) copyWhole(library, join(root, library))
  }
  for (const name of PROGRAMS) add(Bun.which(name) ?? name, `usr/bin/${name}`)
  symlinkSync('../usr/bin/sh', join(root, 'bin/sh'))
  add(Bun.which('node') ?? 'node', 'usr/local/bin/node')
  const npm = realpathSync(Bun.which('npm') ?? 'npm') // …/node_modules/npm/bin/npm-cli.js
  cpSync(dirname(dirname(npm)), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))

  const mounts = [
    ...DEVICES.map((name) => ['--bind', `/dev/${name}`, join(root, 'dev', name)]),
    ['-t', 'proc', 'proc', join(root, 'proc')],
  ]
  for (const name of DEVICES) writeFileSync(join(root, 'dev', name), '')
  for (const mount of mounts) need(['mount', ...mount])
  return {
    root,
    home: join(root, 'root'),
    add,
    run: (argv, env = {}) =>
      run(['chroot', root, '/usr/bin/env', '-i', ...pairs({ ...USUAL, ...env }), ...argv]),
    [Symbol.dispose]: () => {
      for (const mount of mounts.toReversed()) need(['umount', mount.at(-1) ?? ''])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

const USUAL = { HOME: '/root', PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color' }

const pairs = (env: Readonly<Record<string, string>>) =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`)

function copyWhole(from: string, to: string): void {
  if (existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** Paths of the libraries and of the loader, as the loader would take them. */
function librariesOf(program: string): string[] {
  const said = Bun.spawnSync(['ldd', realpathSync(program)]).stdout.toString()
  return [...said.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path ?? '')
}

function need(argv: string[]): void {
  const child = Bun.spawnSync(argv)
  if (!child.success) throw new Error(`${argv.join(' ')} failed: ${child.stderr.toString()}`)
}

async function run(argv: readonly string[]): Promise<Ran> {
  const child = Bun.spawn([...argv], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: RUN_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exit, stdout, stderr }
}

/** Every path below a folder, with its kind, mode and content, apart from what `isLeftOut`. */
export function treeOf(root: string, isLeftOut: (path: string) => boolean): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (dir: string) => {
    for (const name of readdirSync(join(root, dir)).sort()) {
      const path = join(dir, name)
      if (isLeftOut(path)) continue
      const stat = lstatSync(join(root, path))
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(root, path))}`)
      else if (stat.isFile()) found.set(path, `file ${mode} ${Bun.hash(readFileSync(join(root, path)))}`)
      else found.set(path, `${basename(path) && stat.isDirectory() ? 'folder' : 'other'} ${mode}`)
      if (stat.isDirectory()) walk(path)
    }
  }
  walk('')
  return found
}

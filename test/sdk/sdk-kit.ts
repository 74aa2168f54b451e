/**
 * The SDK as its users have it: a folder with the package in node_modules, built for Node, and the checkout itself for
 * Bun. Programs in TypeScript run on both.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { envFor, PROGRAMS, ROOT, tempDir } from '../kit.ts'
import { processes } from '../litter.ts'

export const RUNTIMES = ['bun', 'node'] as const
export type Runtime = (typeof RUNTIMES)[number]

const folders = new Map<Runtime, string>()

/** A folder from which `gantry/sdk` is found. Built once, and not at all where `npm test` has: the compiler takes a second. */
export function userFolder(runtime: Runtime): string {
  const known = folders.get(runtime)
  if (known) return known
  const dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  if (runtime === 'bun') symlinkSync(ROOT, join(dir, 'node_modules/gantry'))
  else buildPackage(join(dir, 'node_modules/gantry'))
  folders.set(runtime, dir)
  return dir
}

function buildPackage(at: string): void {
  mkdirSync(at)
  cpSync(join(ROOT, 'package.json'), join(at, 'package.json'))
  symlinkSync(PROGRAMS, join(at, 'bin'))
  if (process.env.GANTRY_TEST_PROGRAMS) {
    mkdirSync(join(at, 'dist'))
    cpSync(join(PROGRAMS, 'sdk'), join(at, 'dist/sdk'), { recursive: true })
    return
  }
  const built = Bun.spawnSync(['node', 'scripts/build-sdk.mjs', '--out', join(at, 'dist/sdk')], { cwd: ROOT })
  if (!built.success) throw new Error(built.stdout.toString() + built.stderr.toString())
}

/** Node 20 runs no TypeScript, so it gets what is left of it without the types. */
export function programFor(runtime: Runtime, name: string, code: string): string {
  const file = join(userFolder(runtime), runtime === 'bun' ? `${name}.ts` : `${name}.mjs`)
  const text = runtime === 'bun' ? code : new Bun.Transpiler({ loader: 'ts' }).transformSync(code)
  writeFileSync(file, text)
  return file
}

export function exampleFor(runtime: Runtime, name: string): string {
  const file = join(ROOT, 'examples', name)
  return runtime === 'bun' ? file : programFor(runtime, basename(name, '.ts'), readFileSync(file, 'utf8'))
}

export function commandFor(runtime: Runtime, file: string): string[] {
  return [runtime === 'bun' ? process.execPath : 'node', file]
}

export interface Program {
  /** What it has printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  readonly exited: Promise<number>
  kill(signal?: NodeJS.Signals): void
}

/** A program that goes on while the test looks at what it prints. */
export function startProgram(argv: string[], at: Places, cwd?: string): Program {
  const child = Bun.spawn(argv, {
    env: envFor(at),
    ...(cwd === undefined ? {} : { cwd }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  const printed = { stdout: '', stderr: '' }
  const collect = async (name: 'stdout' | 'stderr') => {
    const decoder = new TextDecoder()
    for await (const chunk of child[name]) printed[name] += decoder.decode(chunk, { stream: true })
  }
  const all = Promise.all([collect('stdout'), collect('stderr'), child.exited])
  return {
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    exited: all.then(([, , code]) => {
      processes.delete(child)
      return code
    }),
    kill: (signal = 'SIGTERM') => child.kill(signal),
  }
}

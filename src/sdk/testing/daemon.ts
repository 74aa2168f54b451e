/**
 * A real daemon in a temporary folder, removed when the test ends. It needs the whole package with its Bun; the test
 * itself may run on Node.
 *
 *   const daemon = await startTestDaemon()
 *   await daemon.send(event.stop({ session: 's1', message: 'Done.' }))
 *   await daemon.stop()
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GantryError } from '../../core/errors.ts'
import { places } from '../../core/files/paths.ts'
import { connect, type Gantry } from '../connect.ts'
import type { BuiltEvent } from './build-event.ts'

export interface TestDaemon extends AsyncDisposable {
  readonly home: string
  readonly gantry: Gantry
  /** Sends an event through the hook client, as its agent would; returns what the agent would see. */
  send(built: BuiltEvent): Promise<{ exit: number; stdout: string; stderr: string }>
  stop(): Promise<void>
}

export interface TestDaemonOptions {
  /** Text of its gantry.toml. */
  readonly config?: string
  /** The package's folder, if it cannot be found from here. */
  readonly root?: string
}

const START_DEADLINE_MS = 20_000 // for a busy machine; usually a tenth of a second
const STOP_DEADLINE_MS = 5_000

export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { config = '', root = packageRoot() } = options
  const home = mkdtempSync(join(tmpdir(), 'gantry-test-'))
  const at = places({}, home)
  mkdirSync(at.config, { mode: 0o700 })
  writeFileSync(at.configFile, `${config.includes('[http]') ? '' : '[http]\nport = 0\n'}${config}`)
  const env = { PATH: process.env.PATH ?? '', HOME: home, GANTRY_HOME: home, GANTRY_NATS: 'off' }
  const program = join(root, 'bin/gantry')
  const child = spawn(program, ['up', '--foreground'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const abandon = () => child.kill('SIGKILL') // a test that ends without stopping it leaves nothing running
  process.once('exit', abandon)
  const stop = async () => {
    await ended(child)
    process.removeListener('exit', abandon)
    rmSync(home, { recursive: true, force: true })
  }
  try {
    const gantry = await started(home, child)
    const leave = async () => {
      gantry.close()
      await stop()
    }
    return {
      home,
      gantry,
      send: ({ agent, native, payload }) =>
        ran(program, ['hook', agent, native], env, JSON.stringify(payload)),
      stop: leave,
      [Symbol.asyncDispose]: leave,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function started(home: string, child: ChildProcess): Promise<Gantry> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2_000)
  })
  const giveUp = new AbortController()
  const failed = (what: string) =>
    giveUp.abort(new GantryError('START_FAILED', `The test daemon ${what}. ${said}`.trim()))
  child.once('error', (error) => failed(`cannot be started: ${error.message}`))
  child.once('exit', (code) => failed(`ended with exit code ${code}`))
  const late = setTimeout(
    () => failed(`was not there within ${START_DEADLINE_MS / 1000} s`),
    START_DEADLINE_MS,
  )
  try {
    const waiting = await connect({ home, wait: true, signal: giveUp.signal })
    waiting.close()
    return await connect({ home })
  } finally {
    clearTimeout(late)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
  await gone
  clearTimeout(late)
}

function ran(program: string, args: string[], env: Record<string, string>, stdin: string) {
  return new Promise<{ exit: number; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ exit: code ?? 1, stdout, stderr }))
    child.stdin.on('error', () => {}) // a process that is gone reports that by its exit
    child.stdin.end(stdin)
  })
}

/** The folder above this file with the program: three or four levels up, from the source or from the build. */
function packageRoot(): string {
  let dir = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(dir, 'bin/gantry'))) {
    const above = dirname(dir)
    if (above === dir)
      throw new GantryError('START_FAILED', 'bin/gantry was not found. Say where the package is with `root`.')
    dir = above
  }
  return dir
}

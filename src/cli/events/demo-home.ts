/**
 * The temporary folder of a demo: private, and with a short path, since a socket is in it. A demo removes its own folder, and
 * those that killed demos left.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from '../../client/index.ts'
import { type Places, places } from '../../core/files/paths.ts'
import { isAlive } from '../../core/processes/proc.ts'

const PREFIX = 'gantry-demo-'
const MADE_BY_DEMO = /^gantry-demo-[A-Za-z0-9]{6}$/
/** Marks the folder as a demo's, with the pid: `gantry demo 4711`. */
const MARK = 'demo'
const MARK_TEXT = /^gantry demo (\d{1,10})\n$/
const MAX_PATH_CHARS = 60 // a socket's path has 107 bytes
const YOUNG_MS = 60_000 // it may be starting, in a container with other process ids

export function makeDemoHome(): Places {
  const at = places({}, mkdtempSync(join(temporary(), PREFIX)))
  writeFileSync(join(at.home ?? '', MARK), `gantry demo ${process.pid}\n`)
  mkdirSync(at.config, { mode: 0o700 })
  writeFileSync(at.configFile, '[http]\nport = 0\n')
  return at
}

export function removeDemoHome(at: Places): void {
  if (at.home !== undefined) rmSync(at.home, { recursive: true, force: true })
}

/** Removes the folders of demos that are gone. Touches nothing else, and follows no link. */
export async function removeLeftDemos(now: number): Promise<void> {
  for (const name of readdirSync(temporary())) {
    if (!MADE_BY_DEMO.test(name)) continue
    const at = places({}, join(temporary(), name))
    try {
      if (isLeft(at.home ?? '', now) && !(await answers(at))) removeDemoHome(at)
    } catch {
      // gone meanwhile, or not ours to touch
    }
  }
}

function isLeft(dir: string, now: number): boolean {
  const mark = join(dir, MARK)
  const [folder, file] = [lstatSync(dir), lstatSync(mark)]
  const isOurs = [folder, file].every(({ uid }) => uid === process.getuid?.())
  if (!isOurs || !folder.isDirectory() || !file.isFile() || file.size > 100) return false
  const [, pid] = MARK_TEXT.exec(readFileSync(mark, 'utf8')) ?? []
  return pid !== undefined && now - file.mtimeMs > YOUNG_MS && !isAlive(Number(pid), true)
}

async function answers(at: Places): Promise<boolean> {
  return call(at, 'status').then(
    () => true,
    () => false,
  )
}

function temporary(): string {
  return tmpdir().length <= MAX_PATH_CHARS ? tmpdir() : '/tmp'
}

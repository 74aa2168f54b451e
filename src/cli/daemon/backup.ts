/** Copies the journal and the configuration, beside the daemon and without it. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { GantryError, messageOf } from '../../core/errors.ts'
import { flushFolder } from '../../core/files/flush-folder.ts'
import type { Places } from '../../core/files/paths.ts'
import { yieldToAgents } from '../../core/processes/priority.ts'
import { isAlive } from '../../core/processes/proc.ts'
import { byteWords } from '../../core/text/amount.ts'
import { counted, shellWord } from '../../core/text/text.ts'
import { dayOf, twoDigits } from '../../core/time/days.ts'
import { VERSION } from '../../core/version.ts'
import { type CheckReport, type Copied, checkJournal, copyDatabase } from '../../store/index.ts'
import type { Input } from '../framework/define.ts'
import { progressOf } from '../framework/progress.ts'
import { age, out, outJson } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

/** Names inside of a backup that is a folder. */
export const JOURNAL = 'gantry.db'
const ABOUT = 'backup.json'
export const CONFIG = 'config'

/** What is worth keeping of the folder of the configuration. */
function configFiles({ configFile, rules, handlers }: Places): readonly string[] {
  return [configFile, rules, handlers].filter((path) => existsSync(path))
}

const LONGEST_REST_MS = 100

export async function run({ args, flags, places }: Input<typeof commands.backup>): Promise<number> {
  if (!existsSync(places.database))
    throw usageError(`There is no journal in ${places.state} yet. Start with: gantry up`)
  const target = targetOf(args.target)
  removeLeft(target)
  requireRoom(places.database, dirname(target))
  yieldToAgents()
  const isFile = target.endsWith('.db')
  const draft = `${target}.partial-${process.pid}`
  const drop = () => rmSync(draft, { recursive: true, force: true })
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => {
      drop()
      process.exit(exit)
    })
  const began = performance.now()
  try {
    if (!isFile) mkdirSync(draft, { mode: 0o700 })
    const journal = isFile ? draft : join(draft, JOURNAL)
    const copied = await copy(places.database, journal)
    verify(journal, copied)
    const config = isFile ? [] : copyConfig(places, join(draft, CONFIG))
    const about = { gantry: VERSION, at: Date.now(), host: hostname(), ...copied, config }
    if (!isFile) writeFileSync(join(draft, ABOUT), `${JSON.stringify(about, null, 2)}\n`, { mode: 0o600 })
    if (!isFile) flushFolder(draft)
    renameSync(draft, target)
    flushFolder(dirname(target))
    const bytes = statSync(isFile ? target : join(target, JOURNAL)).size
    const ms = Math.round(performance.now() - began)
    if (flags.json) return outJson({ backup: target, bytes, ms, ...about })
    out(
      `${counted(copied.events, 'event')} (${byteWords(bytes)}) in ${target}, read back and whole, in ${age(ms)}`,
    )
    out(
      isFile
        ? 'Without the configuration; give a folder to have it, too.'
        : `With ${config.join(', ') || 'no configuration: there is none'}.`,
    )
    out(`To go back to it: gantry down && gantry restore ${shellWord(target)} && gantry up`)
    return 0
  } catch (error) {
    drop()
    if (error instanceof GantryError) throw error
    throw new GantryError(
      'HANDLER_ERROR',
      `The backup failed: ${messageOf(error)}. Nothing was left at ${target}.`,
      {
        cause: error,
      },
    )
  }
}

/** Rests as long as it worked: hooks and agents use the same disk. */
async function copy(from: string, to: string): Promise<Copied> {
  const progress = progressOf('events copied')
  const steps = copyDatabase(from, to)
  for (;;) {
    const began = performance.now()
    const step = steps.next()
    if (step.done) {
      progress.end()
      return step.value
    }
    progress.at(step.value.done, step.value.total)
    await Bun.sleep(Math.min(LONGEST_REST_MS, performance.now() - began))
  }
}

/** Reads all of a journal, with a progress bar. */
export function readThrough(journal: string): CheckReport {
  const progress = progressOf('events checked')
  const check = checkJournal(journal, { structure: 'all' })
  let step = check.next()
  for (; !step.done; step = check.next()) progress.at(step.value.done, step.value.total)
  progress.end()
  return step.value
}

/** Reads everything back. */
function verify(journal: string, { events }: Copied): void {
  const { problems, events: found } = readThrough(journal)
  const wrong = found === events ? problems : [...problems, `${found} of ${events} events`]
  if (wrong.length === 0) return
  const message = `What was written is not whole: ${wrong.join('; ')}. Run "gantry doctor --deep", and try another disk.`
  throw new GantryError('DATABASE', message)
}

function copyConfig(places: Places, to: string): string[] {
  mkdirSync(to, { mode: 0o700 })
  return configFiles(places).map((path) => {
    const name = basename(path)
    cpSync(path, join(to, name), { recursive: true, dereference: true })
    return name
  })
}

/** A folder that is there gets a backup named after the time. */
function targetOf(given: string): string {
  const path = resolve(given)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) {
    if (existsSync(join(path, ABOUT)))
      throw usageError(`${path} is a backup already. Give another name, or the folder around it.`)
    return join(path, `gantry-${timeText(new Date())}`)
  }
  // Also a link that leads nowhere.
  if (found || lstatSync(path, { throwIfNoEntry: false }))
    throw usageError(`${path} is there already. Give another name.`)
  if (!existsSync(dirname(path)))
    throw usageError(
      `There is no folder ${dirname(path)}. Make it with: mkdir -p ${shellWord(dirname(path))}`,
    )
  return path
}

function timeText(now: Date): string {
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits)
  return `${dayOf(now.getTime())}-${time.join('')}`
}

/** What a backup that was killed left there. */
function removeLeft(target: string): void {
  for (const name of readdirSync(dirname(target))) {
    const pid = /^(gantry-.*|.*)\.partial-(\d+)$/.exec(name)
    const isOurs = pid && (pid[1] === basename(target) || /^gantry-\d{4}-\d\d-\d\d-\d{6}$/.test(pid[1] ?? ''))
    if (isOurs && !isAlive(Number(pid[2])))
      rmSync(join(dirname(target), name), { recursive: true, force: true })
  }
}

/** Better now than after an hour of copying; also leaves the disk some room for hooks. */
export function requireRoom(database: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const needed = statSync(database).size * 1.1
  if (bavail * bsize >= needed) return
  const message = `${folder} has ${byteWords(bavail * bsize)} free, and this takes up to ${byteWords(needed)}. Choose another disk.`
  throw usageError(message)
}

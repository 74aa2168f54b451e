/**
 * Reserved space for hook clients on a full disk: files with allocated blocks, which they overwrite. Created in slices
 * after the start, and again when some were used and there is space; never more than a quarter of the free space.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { LOSS_HEADER } from '../client/losses.ts'
import { NOTE, RESERVE_SLOT_BYTES, SLOT } from '../client/spool.ts'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { Log } from '../core/log.ts'
import { Alarm } from '../core/time/alarm.ts'

const SLOTS = 512 // 8 MB: an hour of a busy agent, most of whose events are small
const NOTES = 4 // each holds 256 records of lost events
const SHARE = 4 // of the free space: on a small disk the reserve must not be what fills it
const SLICE = 32 // a millisecond or two
const SLICE_PAUSE_MS = 20
const BEGIN_MS = 1_000 // the start comes first …
const BEGIN_CALM_MS = 30_000 // … and much else, if the disk will not be full within a minute
const CALM_BYTES = 4 * 1024 ** 3
const LOOK_MS = 60_000 // interval at which used slots are replaced
const ORPHAN_MS = 3_600_000 // a slot taken this long ago has no living writer
const FORGET_LOSSES_MS = 30 * 24 * 3_600_000
const LONG_NAMES = 120 // of 250 characters: as much directory space as the short names of all slots need
const LONG_NAME = '.tmp-'.padEnd(246, '-')

/** The files that record losses come first. */
const NAMES: ReadonlySet<string> = new Set([
  ...Array.from({ length: NOTES }, (_, i) => `${NOTE}${i}`),
  ...Array.from({ length: SLOTS }, (_, i) => `${SLOT}${String(i).padStart(3, '0')}`),
])

export class Reserve {
  readonly #places: Places
  readonly #log: Log
  readonly #next = new Alarm(() => (this.#missing.length > 0 ? this.#make() : this.#look()))
  #missing: readonly string[] = []

  constructor(places: Places, log: Log) {
    this.#places = places
    this.#log = log
    const { bavail, bsize } = fs.statfsSync(places.state)
    this.#next.within(bavail * bsize < CALM_BYTES ? BEGIN_MS : BEGIN_CALM_MS)
  }

  close(): void {
    this.#next.clear()
  }

  #look(): void {
    this.#safely('looked after', () => {
      const { reserve, spool } = this.#places
      if (!fs.existsSync(reserve)) growFolder(spool)
      fs.mkdirSync(reserve, { recursive: true, mode: 0o700 })
      this.#tendLosses()
      this.#missing = this.#findMissing()
    })
    this.#make()
  }

  /** Missing names, as many as there is space for. */
  #findMissing(): string[] {
    const { reserve } = this.#places
    const there = new Set(fs.readdirSync(reserve).filter((name) => this.#isSound(name)))
    const { bavail, bsize } = fs.statfsSync(reserve)
    const room = Math.floor((bavail * bsize) / RESERVE_SLOT_BYTES)
    const more = Math.floor((room + there.size) / SHARE) - there.size
    return [...NAMES].filter((name) => !there.has(name)).slice(0, Math.max(0, more))
  }

  /** Written under another name first: we must never write to a file that a client has taken. */
  #make(): void {
    const { reserve } = this.#places
    const isMade = this.#safely('made', () => {
      for (const name of this.#missing.slice(0, SLICE)) {
        const draft = join(reserve, `.new-${name}`)
        fs.writeFileSync(draft, filler(), { mode: 0o600 })
        fs.renameSync(draft, join(reserve, name))
      }
    })
    this.#missing = isMade ? this.#missing.slice(SLICE) : []
    this.#next.within(this.#missing.length > 0 ? SLICE_PAUSE_MS : LOOK_MS)
  }

  /** After a power loss a name may exist without its blocks; a killed client leaves the slot that it took. */
  #isSound(name: string): boolean {
    const path = join(this.#places.reserve, name)
    const stat = fs.lstatSync(path, { throwIfNoEntry: false })
    if (!stat) return false
    const isWhole = stat.size === RESERVE_SLOT_BYTES && stat.blocks * 512 >= RESERVE_SLOT_BYTES
    if (NAMES.has(name) && isWhole) return true
    // ctime is the time of its renaming; when it was written does not matter.
    if (NAMES.has(name) || Date.now() - stat.ctimeMs > ORPHAN_MS)
      fs.rmSync(path, { force: true, recursive: true })
    return false
  }

  /** On a full disk the first block of the loss file must already exist. */
  #tendLosses(): void {
    const { lost } = this.#places
    const stat = fs.lstatSync(lost, { throwIfNoEntry: false })
    if (stat && (stat.size === LOSS_HEADER.length || Date.now() - stat.mtimeMs < FORGET_LOSSES_MS)) return
    fs.writeFileSync(lost, LOSS_HEADER, { mode: 0o600 })
  }

  #safely(what: string, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#log.warn('reserve', `cannot be ${what}: ${messageOf(error)}`)
      return false
    }
  }
}

/** A folder needs space for names, too, and ext4 does not shrink a folder. */
function growFolder(folder: string): void {
  const first = join(folder, LONG_NAME)
  const names = Array.from({ length: LONG_NAMES }, (_, i) => `${first}${i}`)
  fs.writeFileSync(first, '', { mode: 0o600 })
  try {
    for (const name of names) fs.linkSync(first, name)
  } finally {
    for (const name of [first, ...names]) fs.rmSync(name, { force: true })
  }
}

/** Not zeros, which some disks store as a hole. */
function filler(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(RESERVE_SLOT_BYTES))
}

/**
 * Room that hook clients have when the disk is full: files with real blocks, which they write over. Made in slices after the
 * start, and again when some were used and there is room; never more than a quarter of what is free.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { LOSS_HEADER } from '../client/losses.ts'
import { NOTE, RESERVE_SLOT_BYTES, SLOT } from '../client/spool.ts'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { Log } from '../core/log.ts'

const SLOTS = 512 // 8 MB: an hour of a busy agent, most of whose events are small
const NOTES = 4 // each has room for 256 records of what is lost
const SHARE = 4 // of what is free: on a small disk the reserve must not be what fills it
const SLICE = 32 // a millisecond or two
const SLICE_PAUSE_MS = 20
const BEGIN_MS = 1_000 // the start comes first …
const BEGIN_CALM_MS = 30_000 // … and much else, where the disk will not be full in a minute
const CALM_BYTES = 4 * 1024 ** 3
const LOOK_MS = 60_000 // for what was used
const ORPHAN_MS = 3_600_000 // a slot that was taken so long ago has no living writer
const FORGET_LOSSES_MS = 30 * 24 * 3_600_000
const LONG_NAMES = 120 // of 250 letters: as much room as the short ones of all slots need
const LONG_NAME = '.tmp-'.padEnd(246, '-')

/** First those for saying what is lost. */
const NAMES: ReadonlySet<string> = new Set([
  ...Array.from({ length: NOTES }, (_, i) => `${NOTE}${i}`),
  ...Array.from({ length: SLOTS }, (_, i) => `${SLOT}${String(i).padStart(3, '0')}`),
])

export class Reserve {
  readonly #places: Places
  readonly #log: Log
  #timer: ReturnType<typeof setTimeout>

  constructor(places: Places, log: Log) {
    this.#places = places
    this.#log = log
    const { bavail, bsize } = fs.statfsSync(places.state)
    this.#timer = setTimeout(() => this.#look(), bavail * bsize < CALM_BYTES ? BEGIN_MS : BEGIN_CALM_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    let missing: string[] = []
    this.#safely('looked after', () => {
      const { reserve, spool } = this.#places
      if (!fs.existsSync(reserve)) growFolder(spool)
      fs.mkdirSync(reserve, { recursive: true, mode: 0o700 })
      this.#tendLosses()
      missing = this.#missing()
    })
    this.#make(missing)
  }

  /** Names that are not there, as many as there is room for. */
  #missing(): string[] {
    const { reserve } = this.#places
    const there = new Set(fs.readdirSync(reserve).filter((name) => this.#isSound(name)))
    const { bavail, bsize } = fs.statfsSync(reserve)
    const room = Math.floor((bavail * bsize) / RESERVE_SLOT_BYTES)
    const more = Math.floor((room + there.size) / SHARE) - there.size
    return [...NAMES].filter((name) => !there.has(name)).slice(0, Math.max(0, more))
  }

  /** Under another name first: what a client takes must never be written by us. */
  #make(missing: readonly string[]): void {
    const { reserve } = this.#places
    const isMade = this.#safely('made', () => {
      for (const name of missing.slice(0, SLICE)) {
        const draft = join(reserve, `.new-${name}`)
        fs.writeFileSync(draft, filler(), { mode: 0o600 })
        fs.renameSync(draft, join(reserve, name))
      }
    })
    const left = isMade ? missing.slice(SLICE) : []
    this.#timer =
      left.length > 0
        ? setTimeout(() => this.#make(left), SLICE_PAUSE_MS)
        : setTimeout(() => this.#look(), LOOK_MS)
  }

  /** A machine that lost its power may have kept the name without the blocks; a killed client leaves what it took. */
  #isSound(name: string): boolean {
    const path = join(this.#places.reserve, name)
    const stat = fs.lstatSync(path, { throwIfNoEntry: false })
    if (!stat) return false
    const isWhole = stat.size === RESERVE_SLOT_BYTES && stat.blocks * 512 >= RESERVE_SLOT_BYTES
    if (NAMES.has(name) && isWhole) return true
    // The time of its change is that of its renaming: when it was written is no matter.
    if (NAMES.has(name) || Date.now() - stat.ctimeMs > ORPHAN_MS)
      fs.rmSync(path, { force: true, recursive: true })
    return false
  }

  /** On a full disk its first block must be there already. */
  #tendLosses(): void {
    const { lost } = this.#places
    const stat = fs.lstatSync(lost, { throwIfNoEntry: false })
    if (stat && (stat.size <= LOSS_HEADER.length || Date.now() - stat.mtimeMs < FORGET_LOSSES_MS)) return
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

/** A folder needs room for names, too, and on ext4 it keeps what it once had. */
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

/** Not zeros, which some disks keep as nothing. */
function filler(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(RESERVE_SLOT_BYTES))
}

/** Checks everything gantry needs from outside the daemon, and asks the daemon for the rest. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  ANSWER_MS,
  call,
  type Finding,
  findRoom,
  isSilent,
  lossesOf,
  NO_ROOM,
  reservedSlots,
  type Status,
  silenceOf,
  TOO_MANY,
} from '../../client/index.ts'
import { downSince } from '../../client/kept-down.ts'
import { staleInfo } from '../../client/nats-info.ts'
import { lookAtSpool, spoolFindings } from '../../client/spool-look.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { isCompiled } from '../../core/processes/self.ts'
import { age } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { VERSION } from '../../core/version.ts'
import { CANARY } from '../../events/index.ts'
import { ownClient } from '../hook-client.ts'
import { platformFindings } from '../platform.ts'
import { examineAgents, type LastEvent } from './agents.ts'
import { parentFindings } from './parents.ts'

const LOOKED_AT = 10 // the newest may be the installer's own

/** `mistakes` finds those in the configuration; it is called if the daemon does not tell them. */
export async function runDoctor(places: Places, mistakes: () => Promise<Finding[]>): Promise<Finding[]> {
  const status = call(places, 'status', {}, { deadlineMs: ANSWER_MS })
  // A daemon that did not answer once is not asked again.
  const lastEvent: LastEvent = (agent) =>
    status
      .then(() => call(places, 'events.list', { agent, limit: LOOKED_AT }))
      .then((events) => events.filter(({ hidden }) => hidden !== CANARY).slice(-1))
      .catch(() => undefined)
  const agents = examineAgents({ places, env: process.env, cwd: process.cwd(), lastEvent })
  const told = await daemon(places, status, mistakes)
  return [
    ...platformFindings(),
    ...folders(places),
    ...parentFindings(places),
    ...configuration(places, told),
    ...hookClient(),
    ...told,
    ...filesLeft(places),
    ...spoolRoom(places),
    ...losses(places),
    ...keptDatabases(places),
    ...(await agents),
  ]
}

function folders(places: Places): Finding[] {
  const findings: Finding[] = []
  for (const dir of new Set([places.config, places.state, places.run])) {
    const stat = statSync(dir, { throwIfNoEntry: false })
    if (!stat) continue // created at the first start
    const loose = (stat.mode & 0o077) !== 0
    if (stat.uid !== process.getuid?.()) {
      findings.push({
        level: 'fail',
        about: 'folders',
        message: `${dir} belongs to another user`,
        fix: `sudo chown -R "$USER" ${dir}`,
      })
    } else if (loose) {
      findings.push({
        level: 'warn',
        about: 'folders',
        message: `${dir} is open to others`,
        fix: `chmod 700 ${dir}`,
      })
    } else if (!writable(dir)) {
      findings.push({
        level: 'fail',
        about: 'folders',
        message: `${dir} is not writable`,
        fix: `chmod u+rwx ${dir}`,
      })
    }
  }
  return findings.length > 0
    ? findings
    : [{ level: 'ok', about: 'folders', message: `private and writable: ${places.state}` }]
}

function configuration({ config, configFile }: Places, told: readonly Finding[]): Finding[] {
  if (told.some(({ about }) => about === 'config')) return []
  const file = existsSync(configFile) ? configFile : `${config} (no gantry.toml: every key has its default)`
  return [{ level: 'ok', about: 'config', message: file }]
}

function hookClient(): Finding[] {
  const path = ownClient()
  if (path === undefined) {
    return [{ level: 'warn', about: 'client', message: 'there is no hook client', fix: 'Run: npm install' }]
  }
  const isScript = readFileSync(path).toString('latin1', 0, 2) === '#!'
  const where = isCompiled() ? `inside ${process.execPath}` : path
  if (!isScript) return [{ level: 'ok', about: 'client', message: `native hook client ${where}` }]
  return [
    {
      level: 'warn',
      about: 'client',
      message: 'the hook client is the slower one in TypeScript: no C compiler was found',
      fix: 'Install gcc or clang, then run: npm rebuild gantry || npm install',
    },
  ]
}

async function daemon(
  places: Places,
  asked: Promise<Status>,
  mistakes: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    const status = await asked
    const findings: Finding[] = [
      {
        level: 'ok',
        about: 'daemon',
        message: `gantry ${status.version} is up (pid ${status.pid}), ${counted(status.events, 'event')}`,
      },
    ]
    if (status.version !== VERSION) {
      findings.push({
        level: 'warn',
        about: 'daemon',
        message: `the daemon is ${status.version}, this command ${VERSION}`,
        fix: 'gantry down && gantry up',
      })
    }
    return [...findings, ...(await call(places, 'doctor'))]
  } catch (error) {
    if (isSilent(error)) {
      const { what, fix } = silenceOf(places)
      return [{ level: 'fail', about: 'daemon', message: what, fix }, ...(await mistakes())]
    }
    const isAway = error instanceof GantryError && error.code === 'DAEMON_AWAY'
    const message = isAway ? `${whyAway(places)}; hooks keep their events in the spool` : messageOf(error)
    const waiting = isAway ? await spooled(places) : []
    const fix = isAway ? 'gantry up' : 'gantry down && gantry up'
    const stale = isAway ? await staleNats(places) : []
    const away: Finding = { level: isAway ? 'warn' : 'fail', about: 'daemon', message, fix }
    return [away, ...stale, ...waiting, ...(await mistakes())]
  }
}

/** A killed daemon could not remove the file with the NATS address. */
async function staleNats(places: Places): Promise<Finding[]> {
  const files = await staleInfo(places)
  return files.map((file) => ({
    level: 'warn',
    about: 'nats',
    message: `${file} names a NATS server that is gone`,
    fix: 'gantry up rewrites it, gantry down removes it',
  }))
}

function whyAway(places: Places): string {
  const since = downSince(places)
  return since === undefined ? 'not running' : `stopped by you (gantry down) ${age(Date.now() - since)} ago`
}

async function spooled(places: Places): Promise<Finding[]> {
  if (!existsSync(places.spool)) return []
  return spoolFindings(await lookAtSpool(places.spool), 'gantry up')
}

const LEAST_FILES = 32 // what a daemon creates at its start: database, log, index, sockets, locks, and a few more

/** A disk may have space but no inodes; file systems without that limit report 0. */
function filesLeft({ state }: Places): Finding[] {
  if (!existsSync(state)) return []
  const { files, ffree } = statfsSync(state)
  if (files === 0 || ffree >= LEAST_FILES) return []
  const message = `the disk of ${state} takes ${ffree === 0 ? 'no' : `only ${ffree}`} more files (inodes): the daemon cannot start there, and hooks keep events only in the reserve`
  const fix = `Remove files that nobody needs from that disk; df -i ${state} counts them`
  return [{ level: 'fail', about: 'disk', message, fix }]
}

/** Whether a hook without an answer can spool its event. */
function spoolRoom(places: Places): Finding[] {
  if (!existsSync(places.spool)) return []
  const loss = findRoom(places.spool)
  if (loss === TOO_MANY || (!loss && writable(places.spool))) return [] // TOO_MANY is reported with the spooled events
  const left = loss === NO_ROOM && writable(places.spool) ? reservedSlots(places) : 0
  if (left > 0) {
    const message = `the disk is nearly full: hooks without an answer keep their events in the reserve, some ${left.toLocaleString('en')} more`
    return [{ level: 'warn', about: 'spool', message, fix: loss?.fix ?? '' }]
  }
  const message = `${loss?.what ?? `${places.spool} is not writable`}: events are lost if the daemon does not take them`
  return [{ level: 'fail', about: 'spool', message, fix: loss?.fix ?? `chmod u+rwx ${places.spool}` }]
}

function losses(places: Places): Finding[] {
  const lost = lossesOf(places)
  if (!lost) return []
  const { count, firstAt, lastAt } = lost
  const [first, last] = [firstAt, lastAt].map((at) => `${age(Date.now() - at)} ago`)
  const many = `${lost.isFull ? 'at least ' : ''}${counted(count, 'event')}`
  const message = `${many} ${count === 1 ? 'was' : 'were'} lost (first ${first}, last ${last}): hooks could keep them nowhere (${lost.reasons.join(', ')})`
  const fix = `Free disk space if it is short. Which they were: ${places.lost}; remove that file to clear this line`
  return [{ level: 'warn', about: 'lost', message, fix, seen: { count, firstAt, lastAt } }]
}

/** Databases that the daemon set aside: broken, or replaced by somebody. */
function keptDatabases(places: Places): Finding[] {
  if (!existsSync(places.state)) return []
  const names = readdirSync(places.state).filter((name) => /^gantry\.db\.(broken|replaced)-\d+$/.test(name))
  return names.map((name) => ({
    level: name.includes('.broken-') ? 'fail' : 'warn',
    about: 'journal',
    message: `an earlier database is kept as ${join(places.state, name)}${name.includes('.broken-') ? ': it was broken' : ''}`,
    fix: `Read what is left with: sqlite3 ${join(places.state, name)} .recover; remove it when you no longer need it; then this line disappears`,
  }))
}

function writable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

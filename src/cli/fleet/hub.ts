/** Writes the files of a hub: the configuration of its nats-server, and a login for each host. */
import { chmodSync, existsSync, fchmodSync, fstatSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import {
  ADMIN,
  type HubLogin,
  type HubPlan,
  type HubUser,
  hashOf,
  hubFiles,
  hubText,
  readHub,
  readUsers,
  tryHub,
  usersText,
} from '../../bus/hub/index.ts'
import { GantryError } from '../../core/errors.ts'
import { waitForLock } from '../../core/files/lock.ts'
import type { Places } from '../../core/files/paths.ts'
import { writeAtomic } from '../../core/files/private-files.ts'
import { commandLineOf } from '../../core/processes/proc.ts'
import { randomText } from '../../core/random.ts'
import { shellWord } from '../../core/text/text.ts'
import { until } from '../../core/time/waits.ts'
import type { Input } from '../framework/define.ts'
import { readText } from '../framework/read.ts'
import { bold, cyan, green, note, out, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

const NAME = /^[\w-]{1,63}$/
const LOCK_MS = 10_000
const RELOAD_MS = 5_000
const LOOK_MS = 50
const STDOUT = 1
const MAX_PORT = 65_535

export async function init({ args, flags, places }: Input<typeof commands.init>): Promise<number> {
  const dir = folderOf(flags.dir, places)
  const files = hubFiles(dir)
  if (existsSync(files.config))
    throw usageError(
      `${plain(files.config)} exists already. Change it by hand, or name another folder with --dir.`,
    )
  const plan: HubPlan = { ...addressOf(args.url, flags), dir, name: `gantry-hub-${randomText(4, 'hex')}` }
  const password = randomText(24, 'base64url')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  chmodSync(dir, 0o700)
  writeAtomic(files.password, `${password}\n`)
  writeAtomic(files.users, usersText([{ name: ADMIN, hash: await hashOf(password) }], plan.domain))
  writeAtomic(files.config, hubText(plan))
  out(`${green('✓')} ${plain(files.config)}`)
  const dirFlag = flags.dir === undefined ? '' : ` --dir ${plain(shellWord(dir))}`
  for (const [what, how] of [
    ['Start the hub here, and at every boot:', `nats-server -c ${plain(shellWord(files.config))}`],
    ['Make a login for each host:', `gantry fleet add build-1${dirFlag} > build-1.join`],
    ['On that host, with the file:', 'gantry fleet join build-1.join'],
    ['Then, on any of them:', 'gantry fleet hosts'],
  ])
    out(`${cyan('→')} ${what} ${bold(how ?? '')}`)
  return 0
}

export async function add({ args: { host }, flags, places }: Input<typeof commands.add>): Promise<number> {
  const dir = folderOf(flags.dir, places)
  const files = hubFiles(dir)
  const hub = existsSync(files.config) ? readHub(readFileSync(files.config, 'utf8')) : undefined
  if (!hub)
    throw usageError(
      `There is no hub in ${plain(dir)}. Write one with "gantry fleet init", or name its folder with --dir.`,
    )
  if (!NAME.test(host) || host === ADMIN || host === hub.domain)
    throw usageError(
      `"${plain(host)}" cannot be the name of a host. It takes letters, digits, "-" and "_", and not "${ADMIN}" or "${hub.domain}".`,
    )
  const password = randomText(24, 'base64url')
  const isNew = await addUser(files.users, { name: host, hash: await hashOf(password) }, hub.domain)
  const login: HubLogin = {
    hub: hub.url,
    domain: hub.domain,
    user: host,
    password,
    ...(hub.ca ? { ca: readText(hub.ca) } : {}),
  }
  const isReloaded = reload(files) && (await isAccepted(login, hub.ca))
  keepPrivate()
  out(JSON.stringify(login, null, 2))
  note(`${isNew ? 'a login' : 'a new login, and the end of the last one,'} for ${plain(host)}`)
  if (!isReloaded) note('the hub does not know it yet: start it, or send its nats-server SIGHUP')
  if (process.stdout.isTTY)
    note('that is a secret: write it to a file with "> …", or pipe it to "gantry fleet join -"')
  return 0
}

/** With "> build-1.join" the shell makes the file, for everybody to read. */
function keepPrivate(): void {
  const found = fstatSync(STDOUT)
  if (!found.isFile() || (found.mode & 0o077) === 0) return
  try {
    fchmodSync(STDOUT, 0o600)
  } catch {
    note('others may read the file that this goes to, and it is a secret: move it to a folder of yours')
  }
}

/** False if the host had a login before, which is void now. */
async function addUser(file: string, user: HubUser, domain: string): Promise<boolean> {
  const lock = await waitForLock(`${file}.lock`, LOCK_MS)
  if (!lock) throw new GantryError('BUSY', `Somebody else changes ${plain(file)}. Run this again.`)
  try {
    const known = readUsers(readText(file))
    const others = known.filter(({ name }) => name !== user.name)
    writeAtomic(file, usersText([...others, user], domain))
    return others.length === known.length
  } finally {
    lock.release()
  }
}

/** A server reads its users again a moment after it is told to. */
async function isAccepted(
  { hub, domain, user, password }: HubLogin,
  ca: string | undefined,
): Promise<boolean> {
  const auth = { kind: 'user', user, password } as const
  const tls = hub.startsWith('tls:') ? (ca ? { caFile: ca } : {}) : undefined
  const servers = [hub.replace(/^.*:\/\//, '')]
  const letsIn = async () => {
    const problem = await tryHub({ servers, hub: domain, auth, tls })
    return !problem?.message.includes('refuses this host') // whatever else is in the way here
  }
  return until(letsIn, RELOAD_MS, LOOK_MS)
}

function folderOf(dir: string | undefined, places: Places): string {
  return resolve(dir ?? join(places.config, 'hub'))
}

function addressOf(text: string, flags: Input<typeof commands.init>['flags']): Omit<HubPlan, 'dir' | 'name'> {
  const found = /^(tls|nats-leaf):\/\/(\[[0-9a-f:]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/i.exec(text)
  const usage = (why: string) => usageError(`${why} Write it like tls://hub.example:7422.`)
  if (!found) throw usage(`"${plain(text)}" is not the address of a hub.`)
  const [, scheme = '', host = '', port = '7422'] = found
  if (Number(port) < 1 || Number(port) > MAX_PORT) throw usage(`"${port}" is not a port.`)
  if (!NAME.test(flags.domain)) throw usageError(`--domain takes letters, digits, "-" and "_".`)
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)
  const { 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca } = flags
  if ((cert === undefined) !== (key === undefined))
    throw usageError('--tls-cert and --tls-key belong together.')
  const isTls = cert !== undefined && key !== undefined
  if (isTls !== (scheme.toLowerCase() === 'tls'))
    throw usage(
      isTls ? 'With a certificate the address begins with tls://.' : 'tls:// needs --tls-cert and --tls-key.',
    )
  if (!isTls && !isLoopback && !flags.plain)
    throw usageError(
      'Without TLS, passwords and events cross the network readable. Give --tls-cert and --tls-key, or --plain if the network is yours alone.',
    )
  if (flags['tls-verify'] && ca === undefined) throw usageError('--tls-verify needs --tls-ca.')
  for (const file of [cert, key, ca]) if (file !== undefined) readText(file)
  return {
    url: `${scheme.toLowerCase()}://${host}:${port}`,
    domain: flags.domain,
    listen: isLoopback ? '127.0.0.1' : '0.0.0.0',
    port: Number(port),
    clientPort: flags['client-port'],
    maxGb: flags['max-gb'],
    ...(isTls
      ? {
          tls: {
            cert: resolve(cert),
            key: resolve(key),
            ...(ca === undefined ? {} : { ca: resolve(ca) }),
            verify: flags['tls-verify'],
          },
        }
      : {}),
  }
}

/** A running hub reads its users again; false if none runs with these files. */
function reload({ pid: file, config }: ReturnType<typeof hubFiles>): boolean {
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  // It may have been started with a path from another folder; the pid may be somebody else's by now.
  if (!(pid > 1) || !commandLineOf(pid).some((word) => basename(word) === basename(config))) return false
  process.kill(pid, 'SIGHUP')
  return true
}

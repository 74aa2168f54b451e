/** Makes this host a leaf node of a hub: tries the login, writes it to gantry.toml, and waits for the hub. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type HubLogin, tryHub } from '../../bus/hub/index.ts'
import { leafPlan } from '../../bus/index.ts'
import { call } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { writeAtomic } from '../../core/files/private-files.ts'
import { loadConfig } from '../../daemon/config/config.ts'
import { setKeys } from '../configuration/config.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readInput } from '../framework/read.ts'
import { bold, cyan, green, levelMark, out, plain, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

type Keys = Readonly<Record<string, string>>

const WAIT_MS = 20_000 // its server starts anew, and the hub answers
const LOOK_MS = 250
const NAME = /^[\w-]{1,63}$/

export async function run(input: Input<typeof commands.join>): Promise<number> {
  const { args, places } = input
  const isUrl = /^[a-z-]+:\/\//i.test(args.from)
  try {
    return await tried(input, isUrl ? await fromUrl(input) : await fromFile(input))
  } finally {
    for (const file of Object.values(loginFiles(places))) rmSync(file + DRAFT, { force: true })
  }
}

async function tried({ flags, places }: Input<typeof commands.join>, drafts: Keys): Promise<number> {
  const { config } = await loadConfig(places.configFile)
  const nats: Readonly<Record<string, unknown>> = config.nats
  const settings = { ...config.nats, ...withoutPrefix(drafts) }
  const leaf = leafPlan(settings, settings.host || hostname())
  const problem = await tryHub(leaf)
  if (problem) {
    const isIt = problem.level === 'warn' && flags.offline
    out(`${levelMark(isIt ? 'warn' : 'fail')} ${plain(problem.message)}`)
    if (problem.fix) out(`${cyan('→')} ${plain(problem.fix)}`)
    if (!isIt) {
      if (problem.level === 'warn') out(`${cyan('→')} Or write it for later with: --offline`)
      return 1
    }
  }
  const keys = inPlace(drafts, places)
  const isOther = ([key, value]: [string, string]) => nats[key.replace(/^nats\./, '')] !== value
  setKeys(places, Object.fromEntries(Object.entries(keys).filter(isOther)))
  out(
    `${green('✓')} ${bold(leaf.domain)} joins ${plain(keys['nats.hub'] ?? '')}; written to ${plain(places.configFile)}`,
  )
  return problem ? 0 : waitFor(places)
}

/** The file that `gantry fleet add` printed. The password goes to a file of its own, which gantry.toml names. */
async function fromFile({ args, flags, places }: Input<typeof commands.join>): Promise<Keys> {
  const text = await readInput(args.from)
  const hint = 'It is what "gantry fleet add" prints on the hub.'
  const login = parseJson(
    text,
    args.from === '-' ? 'stdin' : plain(args.from),
    hint,
  ) as Partial<HubLogin> | null
  const { hub, domain, user, password, ca } = login ?? {}
  const texts = [hub, domain, user, password]
  if (
    !texts.every((one) => typeof one === 'string' && one !== '') ||
    (ca !== undefined && typeof ca !== 'string')
  )
    throw usageError(`That is not a join file. ${hint}`)
  return {
    ...common({ flags, places }, user ?? '', ca === undefined ? undefined : kept(loginFiles(places).ca, ca)),
    'nats.hub': hub ?? '',
    'nats.hub_domain': domain ?? '',
    'nats.user': user ?? '',
    'nats.password_file': kept(loginFiles(places).password, `${password}\n`),
    'nats.creds_file': '',
  }
}

async function fromUrl({ args, flags, places }: Input<typeof commands.join>): Promise<Keys> {
  const { user, creds } = flags
  const file = flags['password-file']
  if ((user === undefined) !== (file === undefined))
    throw usageError('--user and --password-file belong together.')
  const password = file === undefined ? '' : await readInput(file)
  if (file !== undefined && password.trim() === '') throw usageError('There is no password in it.')
  return {
    ...common({ flags, places }, undefined, undefined),
    'nats.hub': args.from,
    'nats.hub_domain': flags.domain ?? 'hub',
    'nats.user': user ?? '',
    'nats.password_file': file === undefined ? '' : kept(loginFiles(places).password, `${password.trim()}\n`),
    'nats.creds_file': creds === undefined ? '' : existing(creds),
  }
}

function common(
  { flags }: Pick<Input<typeof commands.join>, 'flags' | 'places'>,
  user: string | undefined,
  ca: string | undefined,
): Keys {
  const name = flags.name ?? (user === hostname() ? undefined : user)
  if (name !== undefined && !NAME.test(name))
    throw usageError(`"${plain(name)}" cannot be the name of a host. It takes letters, digits, "-" and "_".`)
  const given = flags['tls-ca']
  return {
    'nats.password': '',
    'nats.tls_ca': given === undefined ? (ca ?? '') : existing(given),
    'nats.tls_cert': flags['tls-cert'] === undefined ? '' : existing(flags['tls-cert']),
    'nats.tls_key': flags['tls-key'] === undefined ? '' : existing(flags['tls-key']),
    ...(name === undefined ? {} : { 'nats.host': name }),
  }
}

/** Where a login is kept, private to this user. */
export function loginFiles({ config }: Places): { readonly password: string; readonly ca: string } {
  return { password: join(config, 'hub.password'), ca: join(config, 'hub-ca.pem') }
}

const DRAFT = `.try-${process.pid}`

/** The try reads it from a file of its own: the login that works now must outlive a join that fails. */
function kept(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeAtomic(file + DRAFT, text)
  return file + DRAFT
}

/** The drafts become the login; the keys, with its files. */
function inPlace(drafts: Keys, places: Places): Keys {
  const files = new Map(Object.values(loginFiles(places)).map((file) => [file + DRAFT, file]))
  return Object.fromEntries(
    Object.entries(drafts).map(([key, value]) => {
      const file = files.get(value)
      if (file !== undefined) renameSync(value, file)
      return [key, file ?? value]
    }),
  )
}

function existing(file: string): string {
  if (!existsSync(file)) throw usageError(`There is no file ${plain(file)}.`)
  return resolve(file)
}

function withoutPrefix(keys: Keys): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).map(([key, value]) => [key.replace(/^nats\./, ''), value]))
}

async function waitFor(places: Places): Promise<number> {
  let said = ''
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await Bun.sleep(LOOK_MS)) {
    try {
      const { connected, problem, streams, domain } = await call(places, 'fleet.hub')
      const others = new Set(streams.flatMap(({ sources }) => sources.map((one) => one.domain)))
      if (connected && others.has(domain ?? '')) {
        out(`${green('✓')} the hub has it: ${[...others].sort().map(plain).join(', ')}`)
        return 0
      }
      said = problem ?? ''
    } catch (error) {
      if (!isAway(error)) throw error
      out(`${cyan('→')} The daemon does not run here. Start it: gantry up`)
      return 0
    }
  }
  out(`${yellow('!')} the hub does not have it yet${said ? `: ${plain(said)}` : ''}`)
  out(`${cyan('→')} See: gantry fleet hosts, gantry bus status`)
  return 1
}

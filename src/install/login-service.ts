/**
 * Starting at login: a unit of the user's systemd, or an agent of launchd. One file, written whole, and removed exactly.
 *
 *   const service = serviceFor(places, process.env)
 *   await installService(service, places, process.env)
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Env } from '../agents/index.ts'
import { GantryError } from '../core/errors.ts'
import { homeOf, type Places } from '../core/files/paths.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import { readPlain } from '../core/files/small-file.ts'
import { objectIn } from '../core/json.ts'
import { run } from '../core/processes/exec.ts'
import { selfPath } from '../core/processes/self.ts'
import { makeFolders, missingFolders, removeFolders, removeIfThere, replaceFile } from './files.ts'

const UNIT = 'gantry.service'
const LABEL = 'gantry.daemon'
const MARK = 'Written by "gantry service install"; "gantry service uninstall" removes it.'
const ASK_MS = 10_000 // systemctl waits for the manager, and that for the daemon
const FILE_MODE = 0o644 // as systemd and launchd have their files

export interface Service {
  readonly manager: 'systemd' | 'launchd'
  readonly file: string
  readonly text: string
  /** The program that the file starts. */
  readonly program: string
}

/** How things stand; `said` is the manager's own word. */
interface ServiceState {
  readonly file: 'missing' | 'ours' | 'changed' | 'foreign'
  readonly said: string
}

export function serviceFor(places: Places, env: Env): Service {
  const user = homeOf(env)
  const program = selfPath()
  const argv = [program, ...(places.home === undefined ? [] : ['--home', places.home]), 'up', '--foreground']
  if (process.platform === 'darwin') {
    const file = join(user, 'Library/LaunchAgents', `${LABEL}.plist`)
    return { manager: 'launchd', file, text: plist(argv, environmentOf(env)), program }
  }
  const config =
    env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(user, '.config')
  const file = join(config, 'systemd/user', UNIT)
  return { manager: 'systemd', file, text: unit(argv, environmentOf(env)), program }
}

const NO_SYSTEMD =
  'No systemd of yours answers here (systemctl --user), so nothing was written. The first hook of an agent starts the daemon anyway. ' +
  'To have it from the login on, add this line to ~/.profile: gantry up --quiet'

export function serviceState({ file, text }: Service): ServiceState['file'] {
  if (!existsSync(file)) return 'missing'
  const found = readFileSync(file, 'utf8')
  if (found === text) return 'ours'
  return found.includes(MARK) ? 'changed' : 'foreign'
}

/** Writes the file, and has it started now and at each login. Throws where no manager answers, with what to do instead. */
export async function installService(service: Service, places: Places, env: Env): Promise<void> {
  if (service.manager === 'systemd' && !(await hasUserManager(env)))
    throw new GantryError('START_FAILED', NO_SYSTEMD)
  if (serviceState(service) === 'foreign')
    throw new GantryError('BAD_CONFIG', `${service.file} is not gantry's, so it stays. Move it away first.`)
  const wants = service.manager === 'systemd' ? [dirname(linkTo(service))] : []
  const folders = [...missingFolders(service.file), ...wants.filter((folder) => !existsSync(folder))]
  const known = readReceipt(places)
  mkdirSync(places.state, { recursive: true, mode: 0o700 })
  writeAtomic(receiptPath(places), `${JSON.stringify({ v: 1, folders: known ?? folders })}\n`)
  makeFolders(missingFolders(service.file))
  replaceFile(service.file, Buffer.from(service.text), { mode: FILE_MODE })
  for (const argv of startCommands(service)) await need(argv, env)
}

/** Returns whether there was one. Where no manager answers, its files go all the same: the next login finds none. */
export async function uninstallService(service: Service, places: Places, env: Env): Promise<boolean> {
  const state = serviceState(service)
  if (state === 'foreign')
    throw new GantryError('BAD_CONFIG', `${service.file} is not gantry's, so it stays.`)
  const folders = readReceipt(places)
  if (state !== 'missing')
    for (const argv of stopCommands(service)) await run(argv, { env, timeoutMs: ASK_MS })
  if (service.manager === 'systemd' && state !== 'missing') removeIfThere(linkTo(service))
  removeIfThere(service.file)
  if (service.manager === 'systemd' && state !== 'missing')
    await run(['systemctl', '--user', 'daemon-reload'], { env, timeoutMs: ASK_MS })
  // systemctl removes its own folder of links when it is empty.
  removeFolders((folders ?? []).filter((folder) => existsSync(folder)))
  removeIfThere(receiptPath(places))
  return state !== 'missing'
}

/** By which systemd starts it at the login. */
function linkTo({ file }: Service): string {
  return join(dirname(file), 'default.target.wants', UNIT)
}

export async function askManager({ manager }: Service, env: Env): Promise<string> {
  const argv =
    manager === 'systemd'
      ? ['systemctl', '--user', 'is-active', UNIT]
      : ['launchctl', 'print', `${domain()}/${LABEL}`]
  const { stdout, exit } = await run(argv, { env, timeoutMs: ASK_MS })
  if (manager === 'systemd') return stdout.trim() || 'unknown'
  return exit === 0 ? (/state = (.+)/.exec(stdout)?.[1] ?? 'loaded') : 'not loaded'
}

/** SYSTEMD_OFFLINE is set by whoever builds an image: systemctl then only writes files, and that is what is wanted. */
async function hasUserManager(env: Env): Promise<boolean> {
  if (!Bun.which('systemctl', { PATH: env.PATH ?? '' })) return false
  if (env.SYSTEMD_OFFLINE === '1') return true
  return (await run(['systemctl', '--user', 'show-environment'], { env, timeoutMs: ASK_MS })).exit === 0
}

function startCommands({ manager, file }: Service): string[][] {
  if (manager === 'launchd') return [['launchctl', 'bootstrap', domain(), file]]
  // `enable --now` would ask the manager even where only files are to be written.
  return [['daemon-reload'], ['enable', UNIT], ['start', UNIT]].map((words) => [
    'systemctl',
    '--user',
    ...words,
  ])
}

function stopCommands({ manager }: Service): string[][] {
  if (manager === 'launchd') return [['launchctl', 'bootout', `${domain()}/${LABEL}`]]
  return [
    ['stop', UNIT],
    ['disable', UNIT],
  ].map((words) => ['systemctl', '--user', ...words])
}

const domain = () => `gui/${process.getuid?.() ?? 0}`

async function need(argv: string[], env: Env): Promise<void> {
  const { exit, stderr } = await run(argv, { env, timeoutMs: ASK_MS })
  if (exit !== 0)
    throw new GantryError(
      'START_FAILED',
      `${argv.join(' ')} failed: ${stderr.trim()}. See: gantry service status`,
    )
}

/** Where programs are found, and where gantry's folders are: a login has a shorter PATH than a shell. */
function environmentOf(env: Env): [string, string][] {
  const names = ['PATH', 'LANG', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']
  return names.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []))
}

/** It is left alone if gantry is gone, or if a hook has started the daemon already. */
export function unit(argv: readonly string[], env: readonly (readonly [string, string])[]): string {
  const [program = '', ...rest] = argv
  const status = rest.slice(0, -2)
  const condition = '[ -x "$0" ] && ! "$0" "$@" status >/dev/null 2>&1'
  return `# ${MARK}
[Unit]
Description=gantry, the daemon for the hooks of coding agents

[Service]
Type=exec
${env.map(([name, value]) => `Environment=${word(`${name}=${value}`, '%')}\n`).join('')}ExecCondition=/bin/sh -c ${[condition, program, ...status].map((one) => word(one)).join(' ')}
ExecStart=${argv.map((one) => word(one)).join(' ')}
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
`
}

/** systemd expands % everywhere, and $ in commands. */
function word(text: string, special = '%$'): string {
  const whole = special.includes('$') ? text.replaceAll('$', '$$$$') : text
  return `"${checked(whole).replaceAll('%', '%%').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function plist(argv: readonly string[], env: readonly (readonly [string, string])[]): string {
  const text = (one: string) =>
    `<string>${checked(one).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${text(LABEL)}
  <key>ProgramArguments</key><array>${argv.map(text).join('')}</array>
  <key>EnvironmentVariables</key><dict>${env.map(([name, value]) => `<key>${name}</key>${text(value)}`).join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>10</integer>
</dict>
</plist>
`
}

function checked(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (!/[\u0000-\u001f]/.test(text)) return text
  throw new GantryError(
    'BAD_CONFIG',
    `No service file can hold ${JSON.stringify(text)}: remove its control characters.`,
  )
}

const receiptPath = ({ state }: Places) => join(state, 'service.json')

/** The folders that were made for the file, if it was installed. */
function readReceipt(places: Places): string[] | undefined {
  const { folders } = objectIn(readPlain(receiptPath(places))) ?? {}
  return Array.isArray(folders) ? folders.filter((one) => typeof one === 'string') : undefined
}

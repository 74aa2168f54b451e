/** Notifications in the daemon: out of the configuration, what can be asked about them, what is wrong with them. */
import { z } from 'zod'
import type { Finding } from '../client/protocol.ts'
import { GantryError, messageOf } from '../errors.ts'
import { type Channel, Notifier, quietUntil, viewOfPane } from '../notify/index.ts'
import type { Store } from '../store/index.ts'
import type { Config } from './config.ts'
import { isOpenToOthers, secretOf } from './hooks-config.ts'
import { placeOf } from './identity.ts'
import type { Keeper } from './keeper.ts'
import type { Log } from './log.ts'
import { notifySettings } from './notify-config.ts'
import { defineRpc, type Rpc } from './rpc.ts'

const FAILURES_SHOWN_MS = 24 * 3_600_000
const MAX_LISTED = 2_000

export function openNotifier(store: Store, keeper: Keeper, log: Log): Notifier {
  return new Notifier({
    store,
    session: (key) => keeper.fleet.get(key),
    sessions: () => keeper.fleet.all(),
    place: ({ cwd }) => placeOf(cwd, Date.now()),
    warn: (message) => log.warn('notify', message),
  })
}

/** A change that cannot be made must not keep the rest of a configuration from being applied. */
export function applyNotify(notifier: Notifier, config: Config, configDir: string, log: Log): void {
  try {
    notifier.apply(notifySettings(config.notify, configDir))
  } catch (error) {
    log.error('notify', `cannot be set up: ${messageOf(error)}`)
  }
}

export interface NotifyCallParts {
  readonly notifier: Notifier
  readonly store: Store
  readonly config: () => Config
  readonly configDir: string
}

const target = z.strictObject({
  pane: z.string().optional(),
  tmux: z.string().optional(),
  pid: z.int().positive().optional(),
})

export function notifyCalls(parts: NotifyCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'notify.test',
      summary: 'Sends one test message to a channel or to all of them, and gives what came back',
      args: z.strictObject({
        channel: z.string().optional(),
        send: z.boolean().default(true),
        target: target.default({}),
      }),
      example: { channel: 'desk' },
      handle: async ({ channel, send, target }) => {
        const { channels, quiet, timeZone } = notifySettings(parts.config().notify, parts.configDir)
        const found = channels.filter(({ name }) => channel === undefined || name === channel)
        if (channel !== undefined && found.length === 0) throw noSuch(channel, channels)
        const isQuiet = quietUntil(quiet, Date.now(), timeZone) !== undefined
        return Promise.all(found.map((one) => tested(parts.notifier, one, target as Target, send, isQuiet)))
      },
    }),
    defineRpc({
      name: 'notify.log',
      summary: 'What people were told last, newest first',
      args: z.strictObject({ limit: z.int().min(1).max(MAX_LISTED).default(50) }),
      example: { limit: 10 },
      handle: ({ limit }) => parts.store.notifications.newest(limit),
    }),
  ]
}

type Target = Parameters<Notifier['test']>[1]

async function tested(notifier: Notifier, channel: Channel, target: Target, send: boolean, isQuiet: boolean) {
  const { message, sent, tookMs } = await notifier.test(channel, target, send)
  const notes = [
    ...(channel.enabled ? [] : ['it is switched off: nothing but tests is sent']),
    ...(isQuiet && !channel.inQuietHours ? ['these are quiet hours: nothing but tests is sent'] : []),
    ...(channel.kind === 'osc' ? await passthroughNotes(target) : []),
  ]
  return {
    channel: channel.name,
    kind: channel.kind,
    reasons: channel.reasons,
    title: message.title,
    body: message.body,
    sent: sent?.ok ?? null,
    detail: sent?.detail ?? '',
    tookMs,
    notes,
  }
}

async function passthroughNotes(target: Target): Promise<string[]> {
  const view = await viewOfPane(target)
  if (view?.passthrough !== 'off') return []
  return ['tmux does not let sequences of panes pass, so it went to the terminals of its clients']
}

function noSuch(name: string, channels: readonly Channel[]): GantryError {
  const known = channels.map((one) => one.name).join(', ') || 'none'
  return new GantryError(
    'VALIDATION_ERROR',
    `There is no channel "${name.slice(0, 80)}" in gantry.toml; there is: ${known}. See docs/notify.md.`,
  )
}

export function notifyFindings(
  notifier: Notifier,
  store: Store,
  config: Config,
  configDir: string,
): Finding[] {
  const { channels } = config.notify
  const about = 'notify'
  const found: Finding[] = store.notifications
    .failing(Date.now() - FAILURES_SHOWN_MS)
    .filter(({ channel }) => channels.some(({ name, enabled }) => name === channel && enabled))
    .map(({ channel, failures, lastAt, detail }) => ({
      level: 'warn',
      about,
      message: `${channel}: ${failures} failed within a day, last ${new Date(lastAt).toISOString()}: ${detail}`,
      fix: `Try it with: gantry notify test ${channel}`,
    }))
  if (notifier.dropped > 0)
    found.push({
      level: 'warn',
      about,
      message: `${notifier.dropped} came while too many waited, and were dropped`,
      fix: 'Give the channels fewer reasons, or a higher max_per_minute.',
    })
  for (const { name, enabled, token_file, url_file } of channels)
    for (const secret_file of enabled ? [token_file, url_file].filter(Boolean) : [])
      found.push(...secretFindings(name, secret_file, configDir))
  return found
}

function secretFindings(name: string, secret_file: string, configDir: string): Finding[] {
  const about = 'notify'
  try {
    secretOf({ secret: '', secret_file }, configDir)
  } catch (error) {
    const fix = 'Correct the name in gantry.toml, or write the file; no restart is needed.'
    return [{ level: 'fail', about, message: `${name}: ${messageOf(error)}`, fix }]
  }
  if (!isOpenToOthers({ secret_file }, configDir)) return []
  const message = `${name}: others can read ${secret_file}`
  return [{ level: 'warn', about, message, fix: `chmod 600 ${secret_file}` }]
}

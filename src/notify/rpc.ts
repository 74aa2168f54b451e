/** Calls about notifications, and the test that sends one. */
import { GantryError } from '../core/errors.ts'
import type { CallHandlers, NotificationRow } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import { KEPT } from '../store/kept.ts'
import type { NotifyConfig } from './config.ts'
import { notifySettings } from './from-config.ts'
import { type Channel, type Notifier, quietUntil, viewOfPane } from './index.ts'

interface NotifyCallParts {
  readonly notifier: Notifier
  readonly store: Store
  readonly config: () => { readonly notify: NotifyConfig }
  readonly configDir: string
}

export function notifyCalls(parts: NotifyCallParts) {
  return {
    'notify.test': async ({ channel, send, target }) => {
      const { channels, quiet, timeZone } = notifySettings(parts.config().notify, parts.configDir)
      const found = channels.filter(({ name }) => channel === undefined || name === channel)
      if (channel !== undefined && found.length === 0) throw noSuch(channel, channels)
      const isQuiet = quietUntil(quiet, Date.now(), timeZone) !== undefined
      return Promise.all(found.map((one) => tested(parts.notifier, one, target as Target, send, isQuiet)))
    },
    'notify.log': ({ limit }) => newest(parts.store, limit),
  } satisfies Partial<CallHandlers>
}

/** By the time of the last attempt, which a message that hung or was sent again has later than its place in the table. */
function newest({ notifications }: Store, limit: number): NotificationRow[] {
  const all = notifications.newest(KEPT.notifications)
  return all.sort((a, b) => b.at - a.at).slice(0, limit)
}

type Target = Parameters<Notifier['test']>[1]

async function tested(notifier: Notifier, channel: Channel, target: Target, send: boolean, isQuiet: boolean) {
  const { message, sent, tookMs } = await notifier.test(channel, target, send)
  const notes = [
    ...(channel.enabled ? [] : ['it is disabled: only tests are sent']),
    ...(isQuiet && !channel.inQuietHours ? ['quiet hours: only tests are sent'] : []),
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
  return ['tmux has allow-passthrough off, so it went to the terminals of its clients']
}

function noSuch(name: string, channels: readonly Channel[]): GantryError {
  const known = channels.map((one) => one.name).join(', ') || 'none'
  return new GantryError(
    'VALIDATION_ERROR',
    `There is no channel "${name.slice(0, 80)}" in gantry.toml; there is: ${known}. See docs/notify.md.`,
  )
}

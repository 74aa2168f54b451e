/** Builds notifications from the configuration, and reports their problems to doctor. */
import { messageOf } from '../core/errors.ts'
import { isOpenToOthers, secretOf } from '../core/files/secret-files.ts'
import type { Log } from '../core/log.ts'
import { age } from '../core/text/amount.ts'
import type { Git } from '../git/index.ts'
import type { Finding } from '../rpc/index.ts'
import type { SessionTracker } from '../sessions/index.ts'
import type { Store } from '../store/index.ts'
import type { NotifyConfig } from './config.ts'
import { notifySettings } from './from-config.ts'
import { Notifier } from './index.ts'

const FAILURES_SHOWN_MS = 24 * 3_600_000

export function openNotifier(store: Store, tracker: SessionTracker, git: Git, log: Log): Notifier {
  return new Notifier({
    store,
    session: (key) => tracker.sessions.get(key),
    sessions: () => tracker.sessions.all(),
    place: async ({ cwd }) => {
      await git.see([cwd])
      return git.locationOf(cwd)
    },
    warn: (message) => log.warn('notify', message),
  })
}

/** An error here must not stop the rest of a configuration from being applied. */
export function applyNotify(
  notifier: Notifier,
  config: { readonly notify: NotifyConfig },
  configDir: string,
  log: Log,
): void {
  try {
    notifier.apply(notifySettings(config.notify, configDir))
  } catch (error) {
    log.error('notify', `cannot be set up: ${messageOf(error)}`)
  }
}

export function notifyFindings(
  notifier: Notifier,
  store: Store,
  config: { readonly notify: NotifyConfig },
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
      message: `${channel}: ${failures} failed within a day, last ${age(Date.now() - lastAt)} ago: ${detail}`,
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

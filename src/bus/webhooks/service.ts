/** Webhooks in the daemon: out of the configuration into the bus, and what is wrong with them. */
import { messageOf } from '../../core/errors.ts'
import { isOpenToOthers, secretOf } from '../../core/files/secret-files.ts'
import type { Log } from '../../core/log.ts'
import { age } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Finding, WebhookStatus } from '../../rpc/index.ts'
import type { FollowerStore } from '../../store/index.ts'
import { filterOn, type Streams, shownUrl, type WebhookSpec, Webhooks } from '../index.ts'
import type { InboundConfig, WebhookConfig } from './config.ts'

export interface WebhookConfigs {
  readonly webhooks: readonly WebhookConfig[]
  readonly inbound: Readonly<Record<string, InboundConfig>>
  readonly http: { readonly enabled: boolean }
}

const SHORT_SECRET = 16 // characters below which a secret can be guessed

export function openWebhooks(store: FollowerStore, streams: Streams, log: Log): Webhooks {
  return new Webhooks({ store, sources: streams, warn: (message) => log.warn('webhook', message) })
}

/** A change that cannot be made must not keep the rest of a configuration from being applied. */
export function applyWebhooks(webhooks: Webhooks, config: WebhookConfigs, configDir: string, log: Log): void {
  try {
    webhooks.apply(config.webhooks.map((one) => ({ key: JSON.stringify(one), spec: specOf(one, configDir) })))
  } catch (error) {
    log.error('webhook', `cannot be set up: ${messageOf(error)}`)
  }
}

function specOf(one: WebhookConfig, configDir: string): WebhookSpec {
  const { name, url, stream, filter, enabled, timeout_s } = one
  return {
    name,
    shownUrl: shownUrl(url),
    stream,
    filters: filter.map((text) => filterOn(stream, text)),
    enabled,
    endpoint: () => ({ url, secret: secretOf(one, configDir), timeoutMs: timeout_s * 1000 }),
  }
}

export function webhookFindings(webhooks: Webhooks, config: WebhookConfigs, configDir: string): Finding[] {
  return [
    ...webhooks.status().flatMap(statusFindings),
    ...config.webhooks.flatMap((one) => secretFindings(`webhook ${one.name}`, one, configDir)),
    ...Object.entries(config.inbound).flatMap(([name, one]) => inboundFindings(name, one, config, configDir)),
  ]
}

function statusFindings(status: WebhookStatus): Finding[] {
  const { name, state, lastError, failingSince, backlog, dead, missed } = status
  const found: Finding[] = []
  const add = (message: string, fix: string) =>
    found.push({ level: 'warn', about: 'webhook', message: `${name} ${message}`, fix })
  if (state === 'failing')
    add(
      `has failed for ${age(Date.now() - (failingSince ?? 0))} (${lastError}); ${counted(backlog, 'message waits', 'messages wait')}`,
      `Look at the receiver, then: gantry bus webhooks test ${name}`,
    )
  if (dead > 0)
    add(
      `did not take ${counted(dead, 'message')}: given up`,
      'gantry bus dead-letters shows why; gantry bus dead-letters --requeue all sends them again',
    )
  if (missed > 0)
    add(
      `missed ${counted(missed, 'message')} that retention deleted first`,
      'Raise retention.max_days or retention.max_mb',
    )
  return found
}

function inboundFindings(
  name: string,
  one: InboundConfig,
  config: WebhookConfigs,
  configDir: string,
): Finding[] {
  const about = `inbound ${name}`
  if (config.http.enabled || !one.enabled) return secretFindings(about, one, configDir)
  const message = `${about}: nobody can send anything, HTTP is off`
  return [{ level: 'fail', about: 'inbound', message, fix: 'Set http.enabled = true in gantry.toml.' }]
}

function secretFindings(
  who: string,
  one: Pick<WebhookConfig, 'secret' | 'secret_file' | 'enabled'>,
  configDir: string,
): Finding[] {
  if (!one.enabled) return []
  const about = who.split(' ')[0] ?? ''
  try {
    const found: Finding[] = []
    if (secretOf(one, configDir).length < SHORT_SECRET) {
      const fix = 'Make a long one: openssl rand -hex 32'
      found.push({ level: 'warn', about, message: `${who}: its secret is short enough to be guessed`, fix })
    }
    if (isOpenToOthers(one, configDir)) {
      const fix = `chmod 600 ${one.secret_file}`
      found.push({ level: 'warn', about, message: `${who}: others can read its secret_file`, fix })
    }
    return found
  } catch (error) {
    const fix = 'Correct secret_file in gantry.toml, or write the file; no restart is needed.'
    return [{ level: 'fail', about, message: `${who}: ${messageOf(error)}`, fix }]
  }
}

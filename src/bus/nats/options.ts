/**
 * Which NATS server is used, and how: one plan from the configuration and the environment.
 *
 *   natsPlan(settings, process.env, { find, host })   // { mode: 'managed', executable: '/usr/bin/nats-server', … }
 *
 * Environment over configuration: GANTRY_NATS (mode), COOP_NATS_URL or BD_NATS_URL (server), BD_NATS_PORT, BD_DAEMON_TOKEN.
 */
import {
  addressOf,
  authOf,
  type Env,
  type Mode,
  type NatsAuth,
  type NatsSettings,
  type NatsTls,
  tlsOf,
  wrong,
} from './address.ts'
import { type LeafPlan, leafPlan } from './leaf.ts'

/** What is published, and under which subjects. */
export interface PublishForm {
  readonly subjects: NatsSettings['subjects']
  readonly host: string
  readonly replicas: number
}

export type NatsPlan =
  | { readonly mode: 'off'; readonly why: string }
  | {
      readonly mode: 'managed'
      readonly executable: string
      readonly port: number
      /** Undefined: the token that gantry generated. */
      readonly token: string | undefined
      readonly form: PublishForm
      /** Its server is a leaf node of a hub. */
      readonly leaf?: LeafPlan
    }
  | {
      readonly mode: 'external'
      /** `host:port` each. */
      readonly servers: readonly string[]
      readonly auth: NatsAuth
      readonly tls: NatsTls | undefined
      readonly form: PublishForm
    }

export interface NatsFacts {
  /** The path of a program, by its name on PATH or its own path; undefined if it does not exist. */
  find(program: string): string | undefined
  readonly host: string
  /**
   * `host:port` of the server that gantry ran last, so that a variable that names it does not make it an external one.
   */
  readonly own?: string | undefined
}

const MODES: readonly Mode[] = ['auto', 'off', 'managed', 'external']
/** Allowed in a token: it is written into a configuration file, and others put it into URLs. */
const TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/

export function natsPlan(settings: NatsSettings, env: Env, facts: NatsFacts): NatsPlan {
  const mode = modeOf(settings, env)
  if (mode === 'off') return { mode, why: 'it is turned off (nats.mode or GANTRY_NATS)' }
  const [url, urlFrom] = firstOf([
    [env.COOP_NATS_URL, 'COOP_NATS_URL'],
    [env.BD_NATS_URL, 'BD_NATS_URL'],
    [settings.url, 'nats.url'],
  ])
  const form = {
    subjects: settings.subjects,
    host: settings.host || facts.host,
    replicas: settings.replicas,
  }
  const leaf = settings.hub === '' ? undefined : leafPlan(settings, form.host)
  const isOwn = url !== '' && url.replace(/^nats:\/\//, '') === facts.own
  if (mode === 'external' || (mode === 'auto' && url !== '' && !isOwn)) {
    if (leaf) {
      throw wrong(
        `nats.hub is for the nats-server that gantry runs, but ${urlFrom || 'nats.mode'} names another one. Remove one of the two.`,
      )
    }
    if (url === '') {
      throw wrong(
        'NATS is set to "external", but there is no server. Set nats.url in gantry.toml or BD_NATS_URL.',
      )
    }
    const addresses = url.split(',').filter((part) => part.trim() !== '')
    const servers = addresses.map((part) => addressOf(part.trim(), urlFrom))
    return {
      mode: 'external',
      servers: servers.map(({ server }) => server),
      auth: authOf(settings, env, servers[0]?.auth ?? { kind: 'none' }),
      tls: tlsOf(
        settings,
        servers.some(({ tls }) => tls),
      ),
      form,
    }
  }
  const executable = facts.find(settings.server || 'nats-server')
  if (executable === undefined) {
    if (mode === 'auto' && settings.server === '' && !leaf) {
      return { mode: 'off', why: 'there is no nats-server on PATH, and no server in nats.url' }
    }
    throw wrong(
      settings.server
        ? `There is no program ${settings.server} (nats.server). Correct the path, or leave it empty to look on PATH.`
        : `${leaf ? 'nats.hub is set' : 'NATS is set to "managed"'}, but there is no nats-server on PATH. Install it (apt install nats-server), or set nats.server.`,
    )
  }
  return {
    mode: 'managed',
    executable,
    port: portOf(settings, env),
    token: managedToken(settings, env),
    form: leaf ? leafForm(form) : form,
    ...(leaf ? { leaf } : {}),
  }
}

/** The hub takes what is published under the host; consumers here go on reading what they read before. */
function leafForm(form: PublishForm): PublishForm {
  return { ...form, subjects: form.subjects === 'plain' ? 'both' : form.subjects, replicas: 1 }
}

function modeOf(settings: NatsSettings, env: Env): Mode {
  const said = env.GANTRY_NATS
  if (!said) return settings.mode
  const mode = MODES.find((one) => one === said)
  if (mode) return mode
  throw wrong(`GANTRY_NATS is "${said}". It takes ${MODES.join(', ')}.`)
}

function portOf(settings: NatsSettings, env: Env): number {
  if (!env.BD_NATS_PORT) return settings.port
  const port = Number(env.BD_NATS_PORT)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw wrong(`BD_NATS_PORT is "${env.BD_NATS_PORT}". It takes a port, or 0 for any that is free.`)
}

function managedToken(settings: NatsSettings, env: Env): string | undefined {
  const [token, from] = firstOf([
    [env.BD_DAEMON_TOKEN, 'BD_DAEMON_TOKEN'],
    [settings.token, 'nats.token'],
  ])
  if (token === '') return undefined
  // nats-server takes a token that looks like a bcrypt hash for a hash, and then no client can use it.
  if (TOKEN.test(token) && !token.startsWith('$2')) return token
  throw wrong(
    `The token of ${from} cannot be used. It takes up to 256 characters without spaces, quotes and "\\", and no "$2" at the start.`,
  )
}

function firstOf(values: readonly (readonly [string | undefined, string])[]): readonly [string, string] {
  for (const [value, from] of values) if (value?.trim()) return [value.trim(), from]
  return ['', '']
}

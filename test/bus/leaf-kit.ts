/**
 * A fleet by leaf nodes: a hub made by `gantry fleet init` on a real nats-server, and daemons that join it.
 *
 *   const hub = await startHub()
 *   const alpha = await leaf(hub, 'alpha')
 *   await hub.kill(); await hub.start()
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  GANTRY,
  idsIn,
  isGone,
  makeHome,
  type Ran,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { natsIn, processes } from '../litter.ts'
import { anyPort, contentOf, managerOf, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY, flood } from './bus-kit.ts'
import { MANAGED } from './managed-kit.ts'
import { manage } from './world.ts'

/** Files of a certificate authority, and of what it signed. */
export interface Authority {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

export interface Hub extends Pick<TestServer, 'url' | 'signIn'>, AsyncDisposable {
  readonly at: Places
  readonly dir: string
  /** Where hosts reach it. */
  readonly leafUrl: string
  start(): Promise<void>
  /** Starts it and does not wait until it answers: one of a cluster has to wait for the others. */
  startUnasked(): void
  kill(signal?: NodeJS.Signals): Promise<void>
  /** A login for a host, in a file. */
  login(name: string): Promise<string>
}

/** Its nats-server ends with it. */
export interface Leaf extends AsyncDisposable {
  readonly at: Places
  readonly name: string
  daemon: RunningDaemon
  say(session: string, event: string, more?: object): Promise<unknown>
}

export interface HubParts {
  readonly tls?: Authority
  /** More lines for its configuration. */
  readonly extra?: string
  readonly isStarted?: boolean
}

export async function startHub({ tls, extra = '', isStarted = true }: HubParts = {}): Promise<Hub> {
  const [at, dir] = [makeHome(), join(tempDir(), 'hub')]
  const [leafPort, port] = [await anyPort(), await anyPort()]
  const leafUrl = `${tls ? 'tls' : 'nats-leaf'}://127.0.0.1:${leafPort}`
  const files = tls ? ['--tls-cert', tls.cert, '--tls-key', tls.key, '--tls-ca', tls.ca] : []
  const made = await cli(at, 'fleet', 'init', leafUrl, '--dir', dir, '--client-port', String(port), ...files)
  if (made.exit !== 0) throw new Error(made.stderr)
  const config = join(dir, 'hub.conf')
  writeFileSync(config, `${readFileSync(config, 'utf8')}${extra}`)
  let child: Subprocess | undefined
  const hub: Hub = {
    at,
    dir,
    leafUrl,
    url: `nats://127.0.0.1:${port}`,
    signIn: { user: 'admin', pass: readFileSync(join(dir, 'admin.password'), 'utf8').trim() },
    startUnasked: () => {
      const started = Bun.spawn(['nats-server', '-c', config], { stdio: ['ignore', 'ignore', 'ignore'] })
      child = started
      processes.add(started)
      void started.exited.then(() => processes.delete(started))
    },
    start: async () => {
      hub.startUnasked()
      const isUp = async () => {
        if (child?.exitCode !== null) throw new Error(readFileSync(join(dir, 'hub.log'), 'utf8').slice(-500))
        return (await managerOf(hub).catch(() => undefined)) !== undefined
      }
      await until(isUp, 'the hub', 20_000)
    },
    kill: async (signal = 'SIGKILL') => {
      child?.kill(signal)
      await child?.exited
    },
    login: async (name) => {
      const { stdout, exit, stderr } = await cli(at, 'fleet', 'add', name, '--dir', dir)
      if (exit !== 0) throw new Error(stderr)
      const file = join(dir, `${name}.join`)
      writeFileSync(file, stdout, { mode: 0o600 })
      return file
    },
    [Symbol.asyncDispose]: () => hub.kill(),
  }
  if (isStarted) await hub.start()
  return hub
}

/** The command as a person runs it, with a nats-server that gantry may start. */
export function cli(at: Places, ...args: string[]): Promise<Ran> {
  return run([GANTRY, ...args], at, '', MANAGED)
}

/** A daemon that joins the hub, by the commands that a person uses. */
export async function leaf(hub: Hub, name: string, more: readonly string[] = []): Promise<Leaf> {
  const at = makeHome(AGENTS_ONLY)
  const joined = await cli(at, 'fleet', 'join', await hub.login(name), ...more)
  if (joined.exit !== 0) throw new Error(`${joined.stdout}${joined.stderr}`)
  return hostAt(at, name)
}

export async function hostAt(at: Places, name: string): Promise<Leaf> {
  const daemon = await startDaemon(at, MANAGED)
  const say = (session: string, event: string, fields = {}) =>
    sendFrame(at, {
      payload: JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...fields }),
    })
  const end = async () => {
    const server = natsIn(at.home ?? '')
    await daemon.kill('SIGKILL')
    if (server !== undefined && !isGone(server)) process.kill(server, 'SIGKILL')
  }
  return { at, name, daemon, say, [Symbol.asyncDispose]: end }
}

export const hubOf = (at: Places) => call(at, 'fleet.hub')
export const sourcesOf = async (hub: Pick<Hub, 'url' | 'signIn'>): Promise<string[]> => {
  const { config } = await (await managerOf(hub)).jsm.streams.info('HOOK_EVENTS')
  return (config.sources ?? []).map(({ external }) => external?.api.split('.')[1] ?? '').sort()
}

/** The hub has this host as a source of every stream; the hub is asked first, since a host that is asked costs much more. */
export async function joined(
  hub: Pick<Hub, 'url' | 'signIn'>,
  { at, name }: Pick<Leaf, 'at' | 'name'>,
): Promise<void> {
  const isSource = async () => (await sourcesOf(hub).catch((): string[] => [])).includes(name)
  await until(isSource, `${name} on the hub`)
  const isEverywhere = async () => {
    const { streams } = await hubOf(at)
    return (
      streams.length === 4 && streams.every(({ sources }) => sources.some(({ domain }) => domain === name))
    )
  }
  await until(isEverywhere, `${name} in all streams of the hub`)
}

export const idsOf = ({ at }: Leaf) => idsIn(at)
export const onHub = async (hub: Hub, name: string) =>
  (await contentOf(hub, 'HOOK_EVENTS'))
    .filter(({ subject }) => subject.startsWith(`hooks.${name}.`))
    .map(({ id }) => id.replace(/:h$/, ''))
/** How many messages of a host the hub has, which costs it less than to read them. */
export const countOnHub = (hub: Hub, name: string) =>
  manage(hub, async (jsm) => {
    const { state } = await jsm.streams.info('HOOK_EVENTS', { subjects_filter: `hooks.${name}.>` })
    return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
  }).catch(() => 0)
export const stops = (at: Leaf['at'], count: number) =>
  flood(at, count, (n) => ({ session_id: `s${n % 3}`, hook_event_name: 'Stop', n }))
/** All of these, but for `except`. */
export const arrived = (hub: Hub, { name }: Leaf, ids: readonly string[], except = '') => {
  const wanted = ids.filter((id) => id !== except)
  return until(
    async () => {
      if ((await countOnHub(hub, name)) < wanted.length) return false
      const has = new Set(await onHub(hub, name).catch(() => []))
      return wanted.every((id) => has.has(id))
    },
    `everything of ${name}`,
    60_000,
  )
}

/** A certificate authority of its own, and a certificate for 127.0.0.1. */
export function authority(): Authority {
  const dir = tempDir()
  const file = (name: string) => join(dir, name)
  writeFileSync(file('ext'), 'subjectAltName = IP:127.0.0.1, DNS:localhost\n')
  const openssl = (...args: string[]) => {
    const { success, stderr } = Bun.spawnSync(['openssl', ...args])
    if (!success) throw new Error(stderr.toString())
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=test ca',
  )
  openssl('req', ...key, '-keyout', file('hub.key'), '-out', file('hub.csr'), '-subj', '/CN=hub')
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('ext')]
  openssl('x509', '-req', '-in', file('hub.csr'), ...signed, '-out', file('hub.pem'), '-days', '2')
  return { ca: file('ca.pem'), cert: file('hub.pem'), key: file('hub.key') }
}

/**
 * Twenty hosts as leaf nodes of one hub, which is killed under load and comes back: what is lost, what is doubled, how long the
 * hub takes to catch up, and what hooks of a host notice. Two hosts are whole daemons with hooks; the others are nats-servers
 * with the configuration that gantry gives its own, and a publisher each. Every host has a network namespace of its own if this
 * user may make them, else ports on loopback.
 */
import { Database } from 'bun:sqlite'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { type HubUser, hashOf, hubText, usersText } from '../../src/bus/hub/index.ts'
import { leafLines, leafPlan } from '../../src/bus/nats/leaf.ts'
import { configText } from '../../src/bus/nats/server-config.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { DEFAULT_CONFIG } from '../../src/daemon/config/defaults.ts'
import { load } from '../load.ts'
import { percentile, type Result, round, spread } from '../measure.ts'
import { type Net, openNet } from '../namespaces.ts'
import { GANTRY, ROOT, type Stage } from '../stage.ts'

const BARE = 18
const DOWN_S = 120
const UP_S = 20 // before the hub is killed, and after it is back
const MESSAGES_A_SECOND = 25 // of each publisher
const HOOKS_A_ROUND = 100
const HOOKS_A_SECOND = 100
const WARM_HOOKS = 10
const CLIENTS = 4
const SESSIONS = 20
const GOAL_RATIO = 1.2
const PASSWORD = 'bench'
const READY_MS = 90_000
/** Disables what is measured elsewhere and raises events of its own. */
const ALONE = '[search]\nenabled = false\n[schema]\nenabled = false\n[summary]\nmode = "off"\n'

interface Daemon {
  readonly name: string
  readonly at: Places
}

interface Told {
  readonly ready?: boolean
  readonly caughtUpMs?: number
  readonly checked?: { readonly messages: number; readonly lost: number; readonly doubled: number }
}

export async function fleetLeaves(stage: Stage): Promise<Result[]> {
  const net = await openNet(BARE + 3)
  try {
    return [await measured(stage, net)]
  } finally {
    await net.close()
  }
}

async function measured(stage: Stage, net: Net): Promise<Result> {
  const dir = join(stage.dir, 'leaves')
  const hub = await startHub(join(dir, 'hub'), net)
  const bare = await Promise.all(
    Array.from({ length: BARE }, (_, n) => startBare(join(dir, `leaf-${n}`), n, hub.leafUrl, net)),
  )
  const [alpha, beta, alone] = [
    await startGantry(stage, net, BARE, 'alpha', hub.leafUrl),
    await startGantry(stage, net, BARE + 1, 'beta', hub.leafUrl),
    await startGantry(stage, net, BARE + 2, 'alone'),
  ]
  const traffic = startTraffic(net, { bare, hub, gantry: ['alpha', 'beta'], rate: MESSAGES_A_SECOND })
  await traffic.until(({ ready }) => ready)
  const samples: Record<'up' | 'down' | 'back', { ours: number[]; alone: number[] }> = {
    up: { ours: [], alone: [] },
    down: { ours: [], alone: [] },
    back: { ours: [], alone: [] },
  }
  let seed = 1
  const hooks = async (phase: keyof typeof samples, seconds: number) => {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; seed++) {
      samples[phase].ours.push(...(await hooksOf(stage, alpha, seed)))
      samples[phase].alone.push(...(await hooksOf(stage, alone, seed)))
      await hooksOf(stage, beta, -seed) // other ids than those of the first
    }
  }
  const scale = Math.max(1 / 12, stage.effort) // a quick look has the hub down for ten seconds
  await hooks('up', Math.max(5, UP_S * scale))
  await hub.kill()
  const downAt = performance.now()
  await hooks('down', DOWN_S * scale)
  await hub.start()
  const downS = (performance.now() - downAt) / 1000
  traffic.say({ back: { alpha: idsOf(alpha).length, beta: idsOf(beta).length } })
  await hooks('back', Math.max(5, UP_S * scale))
  const { caughtUpMs = Number.NaN } = await traffic.until((told) => told.caughtUpMs !== undefined)
  traffic.say({ check: { alpha: idsOf(alpha), beta: idsOf(beta) } })
  const { checked } = await traffic.until((told) => told.checked)
  const [ours, floor] = [
    spread(Object.values(samples).flatMap((one) => one.ours)),
    spread(Object.values(samples).flatMap((one) => one.alone)),
  ]
  const p99 = (values: readonly number[]) =>
    percentile(
      [...values].sort((a, b) => a - b),
      0.99,
    )
  return {
    name: 'fleet-20-leaves',
    unit: 'ms',
    ...ours,
    floor: floor.p99,
    ratio: round(ours.p99 / floor.p99),
    against: 'p99 of the same hooks of a daemon beside it that is in no fleet',
    goal: GOAL_RATIO,
    leaves: BARE + 2,
    namespaces: net.isApart,
    downS: round(downS),
    caughtUpS: round(caughtUpMs / 1000),
    ...checked,
    p99Ratios: Object.fromEntries(
      Object.entries(samples).map(([phase, one]) => [phase, round(p99(one.ours) / p99(one.alone))]),
    ),
  }
}

async function startHub(dir: string, net: Net) {
  mkdirSync(dir, { recursive: true })
  const names = [...Array.from({ length: BARE }, (_, n) => `leaf-${n}`), 'alpha', 'beta']
  const hash = await hashOf(PASSWORD)
  const users: HubUser[] = ['admin', ...names].map((name) => ({ name, hash }))
  const [port, clientPort] = [await net.port(), await net.port()]
  const leafUrl = `nats-leaf://${net.center}:${port}`
  const plan = {
    dir,
    url: leafUrl,
    name: 'hub',
    domain: 'hub',
    listen: net.center,
    port,
    clientPort,
    maxGb: 10,
  }
  const config = join(dir, 'hub.conf')
  writeFileSync(join(dir, 'users.conf'), usersText(users, 'hub'))
  writeFileSync(config, hubText(plan))
  let child: Subprocess | undefined
  const start = async () => {
    child = net.inCenter(['nats-server', '-c', config])
    await Bun.sleep(500)
    if (child.exitCode !== null) throw new Error(`the hub ended with ${child.exitCode}: see ${dir}/hub.log`)
  }
  await start()
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  return { leafUrl, clientUrl: `127.0.0.1:${clientPort}`, start, kill }
}

/** A server as gantry configures its own, which only its publisher uses. */
async function startBare(dir: string, n: number, hub: string, net: Net) {
  mkdirSync(dir, { recursive: true })
  const [name, address, port] = [`leaf-${n}`, net.address(n), await net.port()]
  const password = join(dir, 'password')
  writeFileSync(password, PASSWORD)
  const leaf = leafPlan({ ...DEFAULT_CONFIG.nats, hub, user: name, password_file: password }, name)
  const parts = { name: `gantry-${n}`, port, wanted: port, token: PASSWORD, dir }
  const text = configText({ ...parts, leaf: { domain: name, lines: leafLines(leaf) } })
  writeFileSync(join(dir, 'nats.conf'), text.replace('host: "127.0.0.1"', `host: "${address}"`))
  net.inside(n, ['nats-server', '-c', join(dir, 'nats.conf')])
  return { name, url: `${address}:${port}`, token: PASSWORD }
}

async function startGantry(stage: Stage, net: Net, n: number, name: string, hub?: string): Promise<Daemon> {
  const at = stage.home()
  const password = join(at.config, 'hub.password')
  writeFileSync(password, PASSWORD, { mode: 0o600 })
  const joins = hub
    ? `hub = "${hub}"\nuser = "${name}"\npassword_file = "${password}"\n`
    : 'subjects = "both"\n'
  appendFileSync(at.configFile, `[nats]\nhost = "${name}"\n${joins}${ALONE}`)
  const env = { ...stage.env(at), GANTRY_NATS: 'managed', BD_NATS_PORT: '0', GANTRY_READY: '1' }
  const child = net.inside(n, [GANTRY, 'up', '--foreground'], env)
  await (child.stdout as ReadableStream).getReader().read()
  return { name, at }
}

function startTraffic(net: Net, about: object) {
  const child = net.inCenter([
    process.execPath,
    join(ROOT, 'bench', 'leaf-traffic.ts'),
    JSON.stringify(about),
  ])
  const lines = (child.stdout as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let rest = ''
  return {
    say: (what: object) => {
      const stdin = child.stdin as import('bun').FileSink
      stdin.write(`${JSON.stringify(what)}\n`)
      stdin.flush()
    },
    until: async (isIt: (told: Told) => unknown): Promise<Told> => {
      for (const end = performance.now() + READY_MS * 4; performance.now() < end; ) {
        for (let cut = rest.indexOf('\n'); cut >= 0; cut = rest.indexOf('\n')) {
          const told = JSON.parse(rest.slice(0, cut)) as Told
          rest = rest.slice(cut + 1)
          if (isIt(told)) return told
        }
        const { value, done } = await lines.read()
        if (done) break
        rest += decoder.decode(value, { stream: true })
      }
      throw new Error('the publishers ended, or say nothing')
    },
  }
}

/** Latencies in milliseconds, without the warm-up. */
async function hooksOf(stage: Stage, { at }: Daemon, seed: number): Promise<number[]> {
  const wanted = { clients: CLIENTS, sessions: SESSIONS, seed, rate: HOOKS_A_SECOND }
  const { ms } = await load(stage, at, { ...wanted, events: WARM_HOOKS + HOOKS_A_ROUND })
  return ms.slice(WARM_HOOKS)
}

function idsOf({ at }: Daemon): string[] {
  const db = new Database(at.database, { readonly: true })
  try {
    return db
      .query<{ id: string }, []>("SELECT id FROM events WHERE agent <> 'gantry'")
      .all()
      .map(({ id }) => id)
  } finally {
    db.close()
  }
}

/**
 * A network for many hosts on this machine: a namespace for each, joined by a bridge in one of its own, with no way out. Without
 * the privileges for that, all of them are on loopback, apart by their ports alone.
 */
import type { Subprocess } from 'bun'
import { freePort } from '../src/bus/nats/server-process.ts'
import { within } from '../src/core/time/waits.ts'

export interface Net {
  /** Every host has a namespace of its own. */
  readonly isApart: boolean
  /** The address that all hosts reach. */
  readonly center: string
  address(host: number): string
  port(): Promise<number>
  inside(host: number, argv: string[], env?: Record<string, string>): Subprocess
  inCenter(argv: string[]): Subprocess
  /** Ends everything that was started in it. */
  close(): Promise<void>
}

const FIRST_PORT = 20_000
const HOLD = ['unshare', '-n', 'sleep', '3600'] // a namespace lasts as long as a process in it

export async function openNet(hosts: number): Promise<Net> {
  const children = new Set<Subprocess>()
  const start = (argv: string[], env?: Record<string, string>) => {
    const vars = env ?? { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
    const child = Bun.spawn(argv, { env: vars, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
    children.add(child)
    return child
  }
  const close = async () => {
    for (const child of [...children].reverse()) child.kill('SIGTERM')
    await within(Promise.all([...children].map(({ exited }) => exited)), 10_000)
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
  }
  const apart = await namespaces(hosts, start)
  if (!apart) {
    return {
      isApart: false,
      center: '127.0.0.1',
      address: () => '127.0.0.1',
      port: async () => (await freePort(0)) ?? 0,
      inside: (_, argv, env) => start(argv, env),
      inCenter: (argv) => start(argv),
      close,
    }
  }
  let next = FIRST_PORT
  const enter = (pid: number) => ['nsenter', '-t', String(pid), '-n']
  return {
    isApart: true,
    center: '10.77.0.1',
    address: (host) => `10.77.0.${10 + host}`,
    port: async () => next++,
    inside: (host, argv, env) => start([...enter(apart.hosts[host] ?? 0), ...argv], env),
    inCenter: (argv) => start([...enter(apart.center), ...argv]),
    close,
  }
}

/** The pids that hold them; undefined if this user may not make them. */
async function namespaces(
  hosts: number,
  start: (argv: string[]) => Subprocess,
): Promise<{ center: number; hosts: number[] } | undefined> {
  const own = start(HOLD)
  await Bun.sleep(200)
  const ip = (pid: number, ...args: string[]) =>
    Bun.spawnSync(['nsenter', '-t', String(pid), '-n', 'ip', ...args]).success
  const center = own.pid
  const hasBridge =
    own.exitCode === null &&
    ip(center, 'link', 'set', 'lo', 'up') &&
    ip(center, 'link', 'add', 'br0', 'type', 'bridge') &&
    ip(center, 'addr', 'add', '10.77.0.1/24', 'dev', 'br0') &&
    ip(center, 'link', 'set', 'br0', 'up')
  if (!hasBridge) return undefined
  const holders = Array.from({ length: hosts }, () => start(HOLD))
  await Bun.sleep(500)
  const isJoined = (pid: number, n: number) =>
    ip(center, 'link', 'add', `v${n}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)) &&
    ip(center, 'link', 'set', `v${n}`, 'master', 'br0', 'up') &&
    ip(pid, 'link', 'set', 'lo', 'up') &&
    ip(pid, 'addr', 'add', `10.77.0.${10 + n}/24`, 'dev', 'eth0') &&
    ip(pid, 'link', 'set', 'eth0', 'up')
  if (!holders.every(({ pid }, n) => isJoined(pid, n))) return undefined
  return { center, hosts: holders.map(({ pid }) => pid) }
}

/** Shows the hub and the hosts of the fleet: who is there, who is silent, and what the hub does not have yet. */
import { call, type FleetHost, type HubStatus } from '../../client/index.ts'
import { byteWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bold,
  cyan,
  dim,
  green,
  out,
  outJson,
  padTo,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import type * as commands from './index.ts'

interface HostRow extends Pick<FleetHost, 'host' | 'heardAt' | 'self' | 'version' | 'sessions'> {
  /** unknown: the hub has a source for it, and it never told of itself. */
  readonly state: FleetHost['state'] | 'unknown'
  /** Messages that the hub knows of and does not have; null if it is no leaf node. */
  readonly lag: number | null
}

export async function run({ flags, places }: Input<typeof commands.hosts>): Promise<number> {
  const [hub, fleet] = await Promise.all([call(places, 'fleet.hub'), call(places, 'fleet.sessions')])
  const hosts = rowsOf(hub, fleet.hosts)
  const problem = hub.problem ?? fleet.problem
  if (flags.json) outJson({ hub, hosts, problem })
  else {
    out(hubLine(hub))
    if (problem) out(`${yellow('!')} ${plain(problem)}`)
    const width = Math.max(...hosts.map(({ host }) => host.length))
    for (const row of hosts) out(hostLine(row, width))
    if (hub.url === null && hosts.length === 1)
      out(`${cyan('→')} Several machines? gantry fleet init --help, or docs/fleet.md`)
  }
  return hub.url !== null && !hub.connected ? 1 : 0
}

function rowsOf({ streams }: HubStatus, hosts: readonly FleetHost[]): HostRow[] {
  const lags = new Map<string, number>()
  for (const { domain, lag } of streams.flatMap(({ sources }) => sources))
    lags.set(domain, (lags.get(domain) ?? 0) + lag)
  const told = hosts.map((one): HostRow => {
    const lag = lags.get(domainOf(one.host)) ?? null
    lags.delete(domainOf(one.host))
    return { ...one, lag }
  })
  const never = [...lags].map(
    ([host, lag]): HostRow => ({
      host,
      lag,
      state: 'unknown',
      heardAt: 0,
      self: false,
      version: '',
      sessions: 0,
    }),
  )
  return [...told, ...never]
}

/** As its JetStream domain is called. */
function domainOf(host: string): string {
  return host.replace(/[^\w-]/g, '_').slice(0, 100) || '_'
}

function hubLine({ url, connected, streams, reachedAt }: HubStatus): string {
  const title = bold('hub')
  if (url === null) return `${title}  ${dim('none: this host is no leaf node')}`
  const since = reachedAt === null ? '' : ` for ${age(Date.now() - reachedAt)}`
  if (!connected) return `${title}  ${plain(url)} ${dim('·')} ${red(`not reached${since}`)}`
  const messages = streams.reduce((sum, one) => sum + one.messages, 0)
  const size = streams.reduce((sum, one) => sum + one.bytes, 0)
  const parts = [plain(url), green('connected'), `${counted(messages, 'message')}, ${byteWords(size)}`]
  return `${title}  ${parts.join(dim(' · '))}`
}

function hostLine({ host, state, heardAt, self, version, sessions, lag }: HostRow, width: number): string {
  const about = [
    stateWords(state, heardAt),
    self ? 'this host' : '',
    version ? `gantry ${plain(version)}` : '',
    state === 'unknown' ? '' : counted(sessions, 'session'),
    lag === null ? '' : lag === 0 ? 'up to date' : yellow(`${counted(lag, 'message')} behind`),
  ]
  return `${bold(padTo(plain(host), width))}  ${about.filter(Boolean).join(dim(' · '))}`
}

function stateWords(state: HostRow['state'], heardAt: number): string {
  if (state === 'here') return green('here')
  if (state === 'unknown') return yellow('never heard of')
  const since = `${state} for ${age(Date.now() - heardAt)}`
  return state === 'silent' ? yellow(since) : dim(since)
}

/** Takes a host out of the fleet: its streams on the hub stay, and the hub asks it no more. */
import { rmSync } from 'node:fs'
import { call, type HubStatus } from '../../client/index.ts'
import { messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { counted } from '../../core/text/text.ts'
import { loadConfig } from '../../daemon/config/config.ts'
import { setKeys } from '../configuration/config.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { bold, green, out, plain, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'
import { loginFiles } from './join.ts'

export async function run({ args, flags, places }: Input<typeof commands.leave>): Promise<number> {
  const hub = await call(places, 'fleet.hub').catch((error) => {
    if (isAway(error) && flags.now && args.host === undefined) return undefined
    throw error
  })
  if (hub && hub.url === null)
    throw usageError('This host is in no fleet with a hub, so there is nothing to leave.')
  const host = args.host ?? hub?.domain ?? ''
  const isSelf = args.host === undefined || args.host === hub?.domain
  const left = hub ? behind(hub, host) : 0
  if (isSelf && !flags.now && left > 0)
    throw usageError(
      `The hub does not have ${counted(left, 'message')} of this host yet. Wait until "gantry fleet hosts" shows none, or add --now.`,
    )
  try {
    if (hub) await call(places, 'fleet.forget', { host })
  } catch (error) {
    if (!isSelf || !flags.now) throw withHint(error, isSelf)
    out(
      `${yellow('!')} the hub was not told: ${plain(messageOf(error))} On another host: gantry fleet leave ${plain(host)}`,
    )
  }
  if (isSelf) await forgetLogin(places)
  out(`${green('✓')} ${bold(plain(host))} is out of the fleet; what it sent is still there`)
  return 0
}

/** What `gantry fleet join` wrote. */
async function forgetLogin(places: Places): Promise<void> {
  const { nats } = (await loadConfig(places.configFile)).config
  const { password, ca } = loginFiles(places)
  setKeys(places, {
    'nats.hub': '',
    ...(nats.password_file === password ? { 'nats.user': '', 'nats.password_file': '' } : {}),
    ...(nats.tls_ca === ca ? { 'nats.tls_ca': '' } : {}),
  })
  for (const file of [password, ca]) rmSync(file, { force: true })
}

function behind({ streams }: HubStatus, domain: string): number {
  const own = streams.flatMap(({ sources }) => sources.filter((one) => one.domain === domain))
  return own.reduce((sum, { lag }) => sum + lag, 0)
}

function withHint(error: unknown, isSelf: boolean): unknown {
  if (!isSelf) return error
  return usageError(`${messageOf(error)} With --now it leaves all the same.`, { cause: error })
}

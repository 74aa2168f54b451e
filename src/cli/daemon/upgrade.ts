/**
 * Finishes an upgrade: the hook client and the daemon become those of this gantry. gantry fetches nothing by itself, so the
 * command says how to get a newer one, too.
 */
import { existsSync } from 'node:fs'
import { call } from '../../client/index.ts'
import { checkout, npmCommand } from '../../core/processes/self.ts'
import { shellWord } from '../../core/text/text.ts'
import { VERSION } from '../../core/version.ts'
import { clientState, installClient, installedClient, withInstallLock } from '../../install/index.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { cyan, green, out, plain, short } from '../framework/terminal.ts'
import { run as down } from './down.ts'
import type * as commands from './index.ts'
import { run as up } from './up.ts'

export async function run(input: Input<typeof commands.upgrade>): Promise<number> {
  const { places } = input
  out(`This is gantry ${VERSION}. To get a newer one: ${cyan(howToFetch())}`)
  const client = installedClient(places, process.env)
  // Without one no agent is wired.
  if (existsSync(client.path)) {
    const state = clientState(client)
    if (state !== 'current') await withInstallLock(places, () => installClient(client))
    const words = state === 'current' ? 'is of this version' : 'was replaced; settings stay as they are'
    out(`${green('✓')} the hook client ${plain(short(client.path))} ${words}`)
  }
  const version = await call(places, 'status').then(
    (status) => status.version,
    (error) => {
      if (isAway(error)) return undefined
      throw error
    },
  )
  if (version === undefined) out('The daemon is down; the next start is of this version.')
  // In a checkout the version says nothing: every commit has the same.
  else if (version === VERSION && !checkout()) out(`${green('✓')} the daemon is of this version`)
  else {
    // Meanwhile hooks keep their events in the spool.
    await down({ ...input, flags: { ...input.flags, 'until-next-hook': true } })
    return up({ ...input, flags: { ...input.flags, foreground: false, quiet: false } })
  }
  out(`What changed: CHANGELOG.md. New events of your agents, if there are any: ${cyan('gantry install')}`)
  return 0
}

function howToFetch(): string {
  if (npmCommand()) return 'npm install -g gantry@latest && gantry upgrade'
  const dir = checkout()
  if (dir) return `git -C ${shellWord(dir)} pull && npm --prefix ${shellWord(dir)} install && gantry upgrade`
  return `replace ${shellWord(process.execPath)}, then run: gantry upgrade`
}

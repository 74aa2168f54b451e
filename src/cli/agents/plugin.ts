/** Writes gantry as a plugin of an agent's own form. */
import { resolve } from 'node:path'
import {
  clientState,
  findAgent,
  installClient,
  installedClient,
  planBundle,
  writeBundle,
} from '../../install/index.ts'
import type { Input } from '../framework/define.ts'
import { dim, out, outJson, plain } from '../framework/terminal.ts'
import { agentsOf } from './changes.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places }: Input<typeof commands.plugin>): Promise<number> {
  const folder = resolve(args.folder)
  const [wanted] = agentsOf([args.agent])
  if (wanted === undefined) return 1
  const agent = await findAgent(wanted.id, wanted.settings, process.env)
  const bundle = planBundle(agent, folder, { places, env: process.env })
  const client = installedClient(places, process.env)
  if (clientState(client) !== 'current') await installClient(client)
  writeBundle(folder, bundle)
  const { next } = bundle
  if (flags.json) return outJson({ agent: agent.id, folder, files: Object.keys(bundle.files), next })
  out(`The plugin for ${agent.settings.title} is in ${plain(folder)}. It calls ${plain(client.path)}.`)
  out('Give it to the agent:')
  for (const one of next) out(`  ${plain(one)}`)
  if (agent.settings.next) out(dim(agent.settings.next))
  out(dim('Where "gantry install" wired the agent, the plugin stands down.'))
  return 0
}

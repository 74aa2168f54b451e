/**
 * An agent's own form of a plugin, with gantry's hooks in it. They call the installed hook client, and stand down where the
 * agent's settings have our hooks already, so that no event comes twice.
 */
import { quoted } from '../core/text/text.ts'
import { VERSION } from '../core/version.ts'
import { guardedCommand } from './command-line.ts'
import { type AgentSettings, type Json, onlyHandler, type WiringInput } from './settings.ts'

export interface Bundle {
  /** Path in the bundle's folder → text. */
  readonly files: Readonly<Record<string, string>>
  /** What gives it to the agent: commands, or a sentence. */
  readonly next: readonly string[]
}

export interface BundleInput extends WiringInput {
  /** Where the bundle is written. */
  readonly folder: string
  /** The file that `gantry install` would change. */
  readonly settingsFile: string
}

export const PLUGIN = {
  name: 'gantry',
  version: VERSION,
  description: 'Sends every hook event to the local gantry daemon, and obeys what it decides.',
} as const

export function asJson(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The agent's wiring as a file of its own: `{ hooks: { <Event>: [group] } }`. */
export function bundledHooks(agent: string, settings: AgentSettings, input: BundleInput): string {
  const wiring = settings.wiring({ ...input, statusLine: false })
  const entries = wiring.kind === 'merge' ? wiring.entries : []
  const hooks = entries.flatMap((entry): [string, Json][] => {
    const event = entry.path[1]
    const handler = entry.kind === 'append' ? onlyHandler(entry.value) : undefined
    if (event === undefined || handler === undefined) return []
    const { args, command, ...rest } = handler as Record<string, Json>
    const runs = args === undefined ? String(command) : guardedCommand(input.client, agent, event)
    return [[event, [{ hooks: [{ ...rest, command: `${standDown(input)}; ${runs}` }] }]]]
  })
  return asJson({ hooks: Object.fromEntries(hooks) })
}

/** In sh, bash, dash, zsh and fish. */
function standDown({ client, settingsFile }: BundleInput): string {
  return `grep -qsF ${quoted(client.path)} ${quoted(settingsFile)} && exit 0`
}

/**
 * opencode loads every file in `plugins/` of its folder, so gantry has its own file there. The file contains the paths of
 * the hook client and of gantry's home.
 */
import { join } from 'node:path'
import { VERSION } from '../../core/version.ts'
import { asJson, PLUGIN } from '../bundle.ts'
import type { HookClient } from '../command-line.ts'
import { type AgentSettings, folderFrom } from '../settings.ts'
import plugin from './plugin.js' with { type: 'text' }

const SEEN = '1.18.33'
const CLIENT_PLACE = '__GANTRY_CLIENT__'
const HOME_PLACE = '__GANTRY_HOME__'
const VERSION_PLACE = '__GANTRY_VERSION__'
const COPY_PLACE = '__GANTRY_COPY__'
const AGENT_LINE = "const AGENT = 'opencode'"

/** Hooks that the plugin forwards; `event` covers opencode's whole bus. */
const HOOKS = ['event', 'chat.message', 'command.execute.before', 'tool.execute.before', 'tool.execute.after']
const TRIAL_HOOKS = ['experimental.text.complete', 'experimental.session.compacting']

/** An agent that loads this plugin. */
interface Host {
  readonly agent: string
  readonly title: string
  readonly programs: readonly string[]
  readonly npmPackage: string
  readonly seen: string
  /** Its folder below `~/.config`, and of its login below `~/.local/share`. */
  readonly name: string
  readonly project: string
  programPlaces?: NonNullable<AgentSettings['programPlaces']>
}

export const settings: AgentSettings = pluginSettings({
  agent: 'opencode',
  title: 'opencode',
  programs: ['opencode'],
  programPlaces: (_, user) => [join(user, '.opencode/bin/opencode')],
  npmPackage: 'opencode-ai',
  seen: SEEN,
  name: 'opencode',
  project: '.opencode',
})

export function pluginSettings({ agent, seen, name, project, ...rest }: Host): AgentSettings {
  const hooks = [...HOOKS, ...TRIAL_HOOKS].map((event) => ({
    event,
    since: seen,
    ...(event === 'tool.execute.before' ? { held: true as const } : {}),
  }))
  return {
    ...rest,
    folder: (env, user) => join(folderFrom(env.XDG_CONFIG_HOME, join(user, '.config')), name),
    versions: [seen],
    hooks,
    wiring: ({ client }) => ({
      kind: 'own',
      file: 'plugins/gantry.js',
      events: hooks.map(({ event }) => event),
      text: pluginText(client, agent),
      isOurs: (text) => text.startsWith("/**\n * gantry's plugin for opencode"),
    }),
    bundle: ({ client, folder, settingsFile }) => ({
      files: {
        'package.json': asJson({ ...PLUGIN, name: `gantry-${agent}`, type: 'module', main: 'gantry.js' }),
        'gantry.js': pluginText(client, agent, settingsFile),
      },
      next: [`Name it in ${name}.json: "plugin": ["${join(folder, 'gantry.js')}"]`],
    }),
    takes: [],
    recognise: () => [],
    bypasses: ['--auto', '--dangerously-skip-permissions', '--pure'],
    bypassVariables: [`${agent.toUpperCase()}_PURE`], // what --pure sets
    credentials: [`../../.local/share/${name}/auth.json`],
    hookFiles: {
      user: ['plugins/*.js', 'plugins/*.ts', 'plugin/*.js', 'plugin/*.ts'],
      project: [`${project}/plugins/*.js`, `${project}/plugins/*.ts`],
    },
  }
}

/** The plugin with everything filled in. */
function pluginText({ path, home }: HookClient, agent: string, copy = COPY_PLACE): string {
  const made = plugin
    .replace(VERSION_PLACE, VERSION)
    .replace(CLIENT_PLACE, () => inSingleQuotes(path))
    .replace(COPY_PLACE, () => inSingleQuotes(copy))
    .replace(AGENT_LINE, `const AGENT = '${agent}'`)
  return home === undefined ? made : made.replace(HOME_PLACE, () => inSingleQuotes(home))
}

function inSingleQuotes(text: string): string {
  return text.replace(/[\\']/g, (char) => `\\${char}`)
}

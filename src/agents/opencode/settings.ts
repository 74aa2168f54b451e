/**
 * opencode loads every file in `plugins/` of its folder, so gantry has its own file there. The file contains the paths of
 * the hook client and of gantry's home.
 */
import { join } from 'node:path'
import { VERSION } from '../../core/version.ts'
import { type AgentSettings, folderFrom, type Wiring, type WiringInput } from '../settings.ts'
import plugin from './plugin.js' with { type: 'text' }

const SEEN = '1.18.33'
const CLIENT_PLACE = '__GANTRY_CLIENT__'
const HOME_PLACE = '__GANTRY_HOME__'
const VERSION_PLACE = '__GANTRY_VERSION__'

/** Hooks that the plugin forwards; `event` covers opencode's whole bus. */
const HOOKS = ['event', 'chat.message', 'command.execute.before', 'tool.execute.before', 'tool.execute.after']
const TRIAL_HOOKS = ['experimental.text.complete', 'experimental.session.compacting']

export const settings: AgentSettings = {
  title: 'opencode',
  programs: ['opencode'],
  programPlaces: (_, user) => [join(user, '.opencode/bin/opencode')],
  npmPackage: 'opencode-ai',
  folder: (env, user) => join(folderFrom(env.XDG_CONFIG_HOME, join(user, '.config')), 'opencode'),
  versions: [SEEN],
  hooks: [...HOOKS, ...TRIAL_HOOKS].map((event) => ({
    event,
    since: SEEN,
    ...(event === 'tool.execute.before' ? { held: true } : {}),
  })),
  wiring,
  takes: [],
  recognise: () => [],
  credentials: ['../../.local/share/opencode/auth.json'],
  hookFiles: {
    user: ['plugins/*.js', 'plugins/*.ts', 'plugin/*.js', 'plugin/*.ts'],
    project: ['.opencode/plugins/*.js', '.opencode/plugins/*.ts'],
  },
}

function wiring({ client }: WiringInput): Wiring {
  const { path, home } = client
  const versioned = plugin.replace(VERSION_PLACE, VERSION).replace(CLIENT_PLACE, () => inSingleQuotes(path))
  return {
    kind: 'own',
    file: 'plugins/gantry.js',
    events: settings.hooks.map(({ event }) => event),
    text: home === undefined ? versioned : versioned.replace(HOME_PLACE, () => inSingleQuotes(home)),
    isOurs: (text) => text.startsWith("/**\n * gantry's plugin for opencode"),
  }
}

function inSingleQuotes(text: string): string {
  return text.replace(/[\\']/g, (char) => `\\${char}`)
}

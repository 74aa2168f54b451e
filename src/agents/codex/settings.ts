/**
 * Codex's hooks in `hooks.json`. Codex runs only hooks that the user has trusted, and keys that trust by file, position and
 * every byte of the handler: any change here makes every user trust the hooks again.
 */
import { join } from 'node:path'
import { isObject } from '../../core/is-object.ts'
import { jsonIn } from '../../core/json.ts'
import { quoted } from '../../core/text/text.ts'
import { asJson, type Bundle, type BundleInput, bundledHooks, PLUGIN } from '../bundle.ts'
import {
  clientArgs,
  guardedCommand,
  HELD_S,
  type HookClient,
  isOurCommand,
  WATCHING_S,
} from '../command-line.ts'
import {
  type AgentSettings,
  chooseHooks,
  folderFrom,
  type HookChoice,
  type HookTrust,
  hookChoices,
  onlyHandler,
  recogniseGroups,
  type Wiring,
  type WiringInput,
} from '../settings.ts'
import { CODEX_EVENTS } from './events.ts'
import { TURN_COMPLETE } from './notify.ts'

const SEEN = '0.166.0'

/** 0.166.0 limits these two to this time, and warns if the setting is higher. */
const CAPPED_S = 3
const CAPPED = new Set(['SessionEnd', 'Interrupt'])

const HELD = { held: true } as const

export const settings: AgentSettings = {
  title: 'Codex',
  programs: ['codex'],
  npmPackage: '@openai/codex',
  folder: (env, user) => folderFrom(env.CODEX_HOME, join(user, '.codex')),
  versions: [SEEN],
  hooks: hookChoices(
    CODEX_EVENTS,
    SEEN,
    {
      SessionStart: HELD,
      UserPromptSubmit: HELD,
      PreToolUse: HELD,
      PermissionRequest: HELD,
      PreCompact: HELD,
      SubagentStart: HELD,
      SubagentStop: HELD,
      Stop: HELD,
    },
    [TURN_COMPLETE],
  ),
  wiring,
  bundle,
  takes: [],
  recognise: (found, client) =>
    recogniseGroups(found, (group) => isOurCommand(onlyHandler(group)?.command, client, 'codex')),
  bypasses: [
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
    '--yolo',
    '--sandbox danger-full-access',
    '-s danger-full-access',
    '--config sandbox_mode=danger-full-access',
    '-c sandbox_mode=danger-full-access',
    '--disable hooks',
  ],
  credentials: ['auth.json'],
  // config.toml can only hold our `notify`, which a person put there.
  hookFiles: { user: ['hooks.json', 'config.toml'], project: ['.codex/hooks.json'] },
  older: (client) =>
    `This Codex may be too old for hooks. If so, put this line first into config.toml, unless it has a notify:\n${notifyLine(client)}`,
  trust: {
    args: ['app-server'],
    lines: (cwd) => [
      '{"id":1,"method":"initialize","params":{"clientInfo":{"name":"gantry","title":"gantry","version":"1"}}}',
      '{"method":"initialized"}',
      JSON.stringify({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } }),
    ],
    read: readTrust,
  },
  next: 'Codex runs no hook before you trust it: start codex, then choose "Trust all" or review them with /hooks.',
}

/** There is one slot for notify, it needs no trust, and it reports only ends of turns. Where hooks run it adds nothing. */
function notifyLine(client: HookClient): string {
  const command = [client.path, ...clientArgs(client, 'codex', 'notify')]
  return `notify = [${command.map((part) => JSON.stringify(part)).join(', ')}]`
}

function wiring(input: WiringInput): Wiring {
  const chosen = chooseHooks(settings, input)
  return {
    kind: 'merge',
    file: 'hooks.json',
    events: chosen.map(({ event }) => event),
    entries: chosen.map((choice) => ({
      kind: 'append',
      path: ['hooks', choice.event],
      value: {
        hooks: [
          {
            type: 'command',
            command: guardedCommand(input.client, 'codex', choice.event),
            timeout: timeout(choice),
          },
        ],
      },
    })),
  }
}

/** A marketplace with one plugin. */
function bundle(input: BundleInput): Bundle {
  const { name } = PLUGIN
  const policy = { installation: 'AVAILABLE', authentication: 'ON_INSTALL' }
  const source = { source: 'local', path: './gantry' }
  return {
    files: {
      '.agents/plugins/marketplace.json': asJson({
        name,
        interface: { displayName: name },
        plugins: [{ name, source, policy, category: 'Productivity' }],
      }),
      'gantry/.codex-plugin/plugin.json': asJson({ ...PLUGIN, hooks: './hooks/hooks.json' }),
      'gantry/hooks/hooks.json': bundledHooks('codex', settings, input),
    },
    next: [`codex plugin marketplace add ${quoted(input.folder)}`, 'codex plugin add gantry@gantry'],
  }
}

/** Seconds. */
function timeout({ event, held }: HookChoice): number {
  if (CAPPED.has(event)) return CAPPED_S
  return held ? HELD_S : WATCHING_S
}

/** Parses the response of 0.166.0 to `hooks/list`, and keeps only our hooks. */
function readTrust(line: string, client: HookClient): readonly HookTrust[] | undefined {
  const answer = jsonIn(line)
  if (!isObject(answer) || answer.id !== 2) return undefined
  const data = isObject(answer.result) ? answer.result.data : undefined
  const hooks = list(data).flatMap((folder) => (isObject(folder) ? list(folder.hooks) : []))
  return hooks.flatMap((hook) => {
    if (!isObject(hook) || !isOurCommand(hook.command, client, 'codex')) return []
    const status = String(hook.trustStatus)
    const event = String(hook.command).split(' ').at(-1) ?? ''
    if (hook.enabled === false) return [{ event, trusted: false, status: 'switched off' }]
    return [{ event, trusted: status === 'trusted' || status === 'managed', status }]
  })
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

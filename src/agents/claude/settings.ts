/**
 * Claude Code's hooks in `settings.json`. 2.0.77 silently drops ALL hooks of the file if it finds one unknown event name or
 * handler form. So only forms seen on the installed version are written.
 */
import { join } from 'node:path'
import { isObject } from '../../core/is-object.ts'
import { quoted } from '../../core/text/text.ts'
import { asJson, type Bundle, type BundleInput, bundledHooks, PLUGIN } from '../bundle.ts'
import { clientArgs, formsOf, HELD_S, type HookClient, isOurCommand, WATCHING_S } from '../command-line.ts'
import {
  type AgentSettings,
  chooseHooks,
  folderFrom,
  type HookChoice,
  hookChoices,
  type Json,
  onlyHandler,
  recogniseGroups,
  type Wiring,
  type WiringInput,
} from '../settings.ts'
import { isAtLeast } from '../versions.ts'
import { CLAUDE_EVENTS } from './events.ts'
import { allHooksDisabled, shellHandler } from './like/settings.ts'
import { chainStatusLine, recogniseStatusLine } from './status-line.ts'

const OLDEST = '2.0.77'
const NEWEST = '2.1.325'
/** `command` with `args`, without a shell. 2.0.77 would ignore the arguments. */
const EXEC_FORM_SINCE = NEWEST

const HELD = { held: true } as const

const HOOKS = hookChoices(
  CLAUDE_EVENTS,
  OLDEST,
  {
    SessionStart: HELD,
    UserPromptSubmit: HELD,
    UserPromptExpansion: HELD,
    PreToolUse: HELD,
    PermissionRequest: HELD,
    Stop: HELD,
    SubagentStart: HELD,
    SubagentStop: HELD,
    PreCompact: HELD,
    PreModelSwitch: HELD,
    TeammateIdle: HELD,
    TaskCreated: HELD,
    TaskCompleted: HELD,
    Elicitation: HELD,
    ElicitationResult: HELD,
    ConfigChange: HELD,
    // A hook here must create the worktree itself and print its path.
    WorktreeCreate: { never: 'it would have to create worktrees itself' },
    FileChanged: { off: 'it reports only files that you name', needsMatcher: true },
    MessageDisplay: { off: 'it runs for every chunk of every message, and Claude Code waits for it' },
  },
  ['statusLine'],
)

export const settings: AgentSettings = {
  title: 'Claude Code',
  programs: ['claude'],
  programPlaces: (env, user) => [
    join(user, '.local/bin/claude'),
    join(folder(env, user), 'local/node_modules/.bin/claude'),
  ],
  npmPackage: '@anthropic-ai/claude-code',
  folder,
  versions: [OLDEST, NEWEST],
  hooks: HOOKS,
  wiring,
  bundle,
  takes: ['a byte order mark'], // seen on 2.0.77, which reports nothing, and 2.1.325
  recognise: (found, client) => [
    ...recogniseGroups(found, (group) => isOurGroup(group, client)),
    ...recogniseStatusLine(client, isObject(found) ? found.statusLine : undefined),
  ],
  switchedOff: allHooksDisabled,
  bypasses: [
    '--dangerously-skip-permissions',
    '--allow-dangerously-skip-permissions',
    '--permission-mode bypassPermissions',
    '--bare',
    '--safe-mode',
    '--setting-sources !user', // 2.1.325 runs no hook then
  ],
  bypassVariables: ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'], // what --bare and --safe-mode set
  credentials: ['.credentials.json'],
  hookFiles: {
    user: ['settings.json'],
    project: ['.claude/settings.json', '.claude/settings.local.json'],
  },
}

function folder(env: Readonly<Record<string, string | undefined>>, user: string): string {
  return folderFrom(env.CLAUDE_CONFIG_DIR, join(user, '.claude'))
}

function wiring(input: WiringInput): Wiring {
  const { version = OLDEST, client } = input
  if (!isAtLeast(version, OLDEST)) {
    return {
      kind: 'refused',
      why: `Claude Code ${version} is older than ${OLDEST}: one unknown event would disable all of your hooks. Update Claude Code first.`,
    }
  }
  const chosen = chooseHooks(settings, input)
  const handler = isAtLeast(version, EXEC_FORM_SINCE) ? execHandler : plainHandler
  return {
    kind: 'merge',
    file: 'settings.json',
    events: chosen.map(({ event }) => event),
    entries: [
      ...chosen.map((choice) => {
        const matcher = input.with.get(choice.event)
        const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler(client, choice)] }
        return { kind: 'append', path: ['hooks', choice.event], value: group } as const
      }),
      ...(input.statusLine
        ? [
            {
              kind: 'chain',
              path: ['statusLine'],
              make: (previous: unknown) => chainStatusLine(client, previous),
            } as const,
          ]
        : []),
    ],
  }
}

/** 2.0.77 ignores `args`. */
const plainHandler = (client: HookClient, choice: HookChoice) => shellHandler(client, 'claude', choice)

/** A marketplace with one plugin. */
function bundle(input: BundleInput): Bundle {
  const owner = { name: PLUGIN.name }
  const { name, description } = PLUGIN
  return {
    files: {
      '.claude-plugin/marketplace.json': asJson({
        name,
        owner,
        plugins: [{ name, source: './gantry', description }],
      }),
      'gantry/.claude-plugin/plugin.json': asJson({ ...PLUGIN, author: owner }),
      'gantry/hooks/hooks.json': bundledHooks('claude', settings, input),
    },
    next: [`claude plugin marketplace add ${quoted(input.folder)}`, 'claude plugin install gantry@gantry'],
  }
}

function execHandler(client: HookClient, choice: HookChoice): Json {
  const { event } = choice
  return {
    type: 'command',
    command: client.path,
    args: clientArgs(client, 'claude', event),
    timeout: timeout(choice),
  }
}

/** Seconds. SessionEnd hooks share 1.5 s unless one of them asks for more. */
function timeout({ held }: HookChoice): number {
  return held ? HELD_S : WATCHING_S
}

function isOurGroup(group: unknown, client: HookClient): boolean {
  const handler = onlyHandler(group)
  if (!handler) return false
  if (handler.args === undefined) return isOurCommand(handler.command, client, 'claude')
  const event = Array.isArray(handler.args) ? handler.args.at(-1) : undefined
  const ours = formsOf(client).map((form) => JSON.stringify(clientArgs(form, 'claude', String(event))))
  return handler.command === client.path && ours.includes(JSON.stringify(handler.args))
}

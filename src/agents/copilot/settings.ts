/**
 * Copilot CLI reads every `hooks/*.json` in its folder, so gantry has its own file there. A failing hook denies the tool
 * (1.0.102), so the command is guarded. camelCase names get the fuller payload.
 */
import { join } from 'node:path'
import { isObject } from '../../core/is-object.ts'
import { objectIn } from '../../core/json.ts'
import { forgivingCommand, HELD_S, type HookClient, isOurCommand, WATCHING_S } from '../command-line.ts'
import {
  type AgentSettings,
  chooseHooks,
  folderFrom,
  hookChoices,
  recogniseGroups,
  type Wiring,
  type WiringInput,
} from '../settings.ts'
import { CAMEL_NAME, COPILOT_EVENTS } from './events.ts'

const SEEN = '1.0.102'

const HELD = { held: true } as const

export const settings: AgentSettings = {
  title: 'Copilot CLI',
  programs: ['copilot'],
  npmPackage: '@github/copilot',
  folder: (env, user) => folderFrom(env.COPILOT_HOME, join(user, '.copilot')),
  versions: [SEEN],
  hooks: hookChoices(
    COPILOT_EVENTS,
    SEEN,
    {
      sessionStart: HELD,
      userPromptSubmitted: HELD,
      preToolUse: HELD,
      permissionRequest: HELD,
      agentStop: HELD,
      subagentStart: HELD,
      subagentStop: HELD,
    },
    [...CAMEL_NAME.keys()],
  ),
  wiring,
  takes: [],
  recognise: (found, client) => recogniseGroups(found, (hook) => isOurHook(hook, client)),
  switchedOff: (found) =>
    isObject(found) && found.disableAllHooks === true ? '"disableAllHooks" is true' : undefined,
  bypasses: ['--allow-all', '--allow-all-tools', '--allow-all-paths', '--allow-all-urls', '--yolo'],
  credentials: ['config.json'],
  hookFiles: { user: ['settings.json', 'hooks/*.json'], project: ['.github/hooks/*.json'] },
}

function wiring(input: WiringInput): Wiring {
  const { client } = input
  const chosen = chooseHooks(settings, input)
  const lines = chosen.map(({ event, held }) => {
    const hook = {
      type: 'command',
      bash: forgivingCommand(client, 'copilot', event),
      timeoutSec: held ? HELD_S : WATCHING_S,
    }
    return `    ${JSON.stringify(event)}: [${JSON.stringify(hook)}]`
  })
  return {
    kind: 'own',
    file: 'hooks/gantry.json',
    events: chosen.map(({ event }) => event),
    text: `{\n  "version": 1,\n  "hooks": {\n${lines.join(',\n')}\n  }\n}\n`,
    isOurs: (text) => isOurFile(text, client),
  }
}

/** Whether the file holds our hooks and nothing else. */
function isOurFile(text: string, client: HookClient): boolean {
  const found = objectIn(text)
  if (!found || !isObject(found.hooks)) return false
  const hooks = Object.values(found.hooks).flat()
  const isAll = Object.keys(found).sort().join() === 'hooks,version'
  return isAll && hooks.length > 0 && hooks.every((hook) => isOurHook(hook, client))
}

function isOurHook(hook: unknown, client: HookClient): boolean {
  return isObject(hook) && isOurCommand(hook.bash, client, 'copilot')
}

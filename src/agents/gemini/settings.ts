/**
 * Gemini CLI's hooks in `settings.json`. A missing hook program would block every tool (0.61.0 treats exit 127 with text as
 * a refusal), so the command is guarded. Hooks with the same name and command run once.
 */
import { join } from 'node:path'
import { forgivingCommand, HELD_S, isOurCommand, WATCHING_S } from '../command-line.ts'
import {
  type AgentSettings,
  chooseHooks,
  folderFrom,
  hookChoices,
  isRecord,
  onlyHandler,
  recogniseGroups,
  type Wiring,
  type WiringInput,
} from '../settings.ts'
import { GEMINI_EVENTS } from './events.ts'

const SEEN = '0.61.0'
const NAME = 'gantry'

const HELD = { held: true } as const
const HOT = 'it runs for every model request, with the whole conversation'

export const settings: AgentSettings = {
  title: 'Gemini CLI',
  programs: ['gemini'],
  npmPackage: '@google/gemini-cli',
  folder: (env, user) => join(folderFrom(env.GEMINI_CLI_HOME, user), '.gemini'),
  versions: [SEEN],
  hooks: hookChoices(GEMINI_EVENTS, SEEN, {
    SessionStart: HELD,
    BeforeAgent: HELD,
    AfterAgent: HELD,
    BeforeTool: HELD,
    BeforeModel: { ...HELD, off: HOT },
    BeforeToolSelection: { ...HELD, off: HOT },
    AfterModel: { off: 'it runs for every chunk of every answer, with the whole conversation' },
    PreCompress: { off: 'it runs before every model request, compressed or not' },
  }),
  wiring,
  takes: ['a comment'], // 0.61.0 does not even start with any other deviation
  recognise: (found, client) =>
    recogniseGroups(found, (group) => isOurCommand(onlyHandler(group)?.command, client, 'gemini')),
  switchedOff,
  credentials: ['oauth_creds.json'],
  hookFiles: { user: ['settings.json'], project: ['.gemini/settings.json'] },
  next: 'Gemini CLI runs hooks only in folders that you trust; it asks when it starts in a new one.',
}

function wiring(input: WiringInput): Wiring {
  const chosen = chooseHooks(settings, input)
  return {
    kind: 'merge',
    file: 'settings.json',
    events: chosen.map(({ event }) => event),
    entries: chosen.map(({ event, held }) => ({
      kind: 'append',
      path: ['hooks', event],
      value: {
        hooks: [
          {
            type: 'command',
            name: NAME,
            command: forgivingCommand(input.client, 'gemini', event),
            timeout: (held ? HELD_S : WATCHING_S) * 1000, // milliseconds; other agents use seconds
          },
        ],
      },
    })),
  }
}

function switchedOff(found: unknown): string | undefined {
  const config = isRecord(found) && isRecord(found.hooksConfig) ? found.hooksConfig : {}
  if (config.enabled === false) return '"hooksConfig.enabled" is false'
  const disabled = Array.isArray(config.disabled) && config.disabled.includes(NAME)
  return disabled ? `"hooksConfig.disabled" names ${NAME}` : undefined
}

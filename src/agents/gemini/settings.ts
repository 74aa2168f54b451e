/**
 * Gemini CLI's hooks in `settings.json`. A missing hook program would block every tool (0.61.0 treats exit 127 with text as
 * a refusal), so the command is guarded. Hooks with the same name and command run once.
 */
import { join } from 'node:path'
import { isObject } from '../../core/is-object.ts'
import { quoted } from '../../core/text/text.ts'
import { asJson, type Bundle, type BundleInput, bundledHooks, PLUGIN } from '../bundle.ts'
import { groupedHooks } from '../claude/like/settings.ts'
import { forgivingCommand, HELD_S, type HookClient, WATCHING_S } from '../command-line.ts'
import { type AgentSettings, folderFrom, type HookChoice, hookChoices, type Json } from '../settings.ts'
import { GEMINI_EVENTS } from './events.ts'

const SEEN = '0.61.0'
const NAME = 'gantry'

const HELD = { held: true } as const
const HOT = 'it runs for every model request, with the whole conversation'

export const settings: AgentSettings = groupedHooks({
  agent: 'gemini',
  file: 'settings.json',
  handler,
  bundle,
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
  takes: ['a comment'], // 0.61.0 does not even start with any other deviation
  switchedOff,
  bypasses: ['--yolo', '-y', '--approval-mode yolo'],
  credentials: ['oauth_creds.json'],
  hookFiles: { user: ['settings.json'], project: ['.gemini/settings.json'] },
  next: 'Gemini CLI runs hooks only in folders that you trust; it asks when it starts in a new one.',
})

function handler(client: HookClient, { event, held }: HookChoice): Json {
  return {
    type: 'command',
    name: NAME,
    command: forgivingCommand(client, 'gemini', event),
    timeout: (held ? HELD_S : WATCHING_S) * 1000, // milliseconds; other agents use seconds
  }
}

function bundle(input: BundleInput): Bundle {
  return {
    files: {
      'gemini-extension.json': asJson(PLUGIN),
      'hooks/hooks.json': bundledHooks('gemini', settings, input),
    },
    next: [`gemini extensions install ${quoted(input.folder)}`],
  }
}

function switchedOff(found: unknown): string | undefined {
  const config = isObject(found) && isObject(found.hooksConfig) ? found.hooksConfig : {}
  if (config.enabled === false) return '"hooksConfig.enabled" is false'
  const disabled = Array.isArray(config.disabled) && config.disabled.includes(NAME)
  return disabled ? `"hooksConfig.disabled" names ${NAME}` : undefined
}

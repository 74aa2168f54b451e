/**
 * Settings of an agent that keeps its hooks as Claude Code does: below `hooks.<Event>` of a JSON file, in groups of
 * handlers.
 */
import { isObject } from '../../../core/is-object.ts'
import { guardedCommand, HELD_S, type HookClient, isOurCommand, WATCHING_S } from '../../command-line.ts'
import {
  type AgentSettings,
  chooseHooks,
  type HookChoice,
  type Json,
  onlyHandler,
  recogniseGroups,
} from '../../settings.ts'

interface GroupedHooks extends Omit<AgentSettings, 'wiring' | 'recognise'> {
  /** The agent's id. */
  readonly agent: string
  /** Relative to the settings folder. */
  readonly file: string
  /** What runs the client, if not a shell command with its limit in seconds. */
  handler?(client: HookClient, choice: HookChoice): Json
}

export function groupedHooks({ agent, file, handler, ...rest }: GroupedHooks): AgentSettings {
  const make = handler ?? ((client, choice) => shellHandler(client, agent, choice))
  return {
    ...rest,
    wiring: (input) => {
      const chosen = chooseHooks(rest, input)
      return {
        kind: 'merge',
        file,
        events: chosen.map(({ event }) => event),
        entries: chosen.map((choice) => ({
          kind: 'append',
          path: ['hooks', choice.event],
          value: { hooks: [make(input.client, choice)] },
        })),
      }
    },
    recognise: (found, client) =>
      recogniseGroups(found, (group) => isOurCommand(onlyHandler(group)?.command, client, agent)),
  }
}

/** The limit is in seconds. */
export function shellHandler(client: HookClient, agent: string, { event, held }: HookChoice): Json {
  return {
    type: 'command',
    command: guardedCommand(client, agent, event),
    timeout: held ? HELD_S : WATCHING_S,
  }
}

/** The switch of Claude Code, which others took over. */
export function allHooksDisabled(found: unknown): string | undefined {
  return isObject(found) && found.disableAllHooks === true ? '"disableAllHooks" is true' : undefined
}

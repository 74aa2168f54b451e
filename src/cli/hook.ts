/** Help for the hook client; `main.ts` runs it before anything else is loaded. */
import { runHook } from '../client/hook.ts'
import type { Command } from './command.ts'

export const hook: Command = {
  name: 'hook',
  summary: 'The hook client, in TypeScript',
  usage: '[--required] <agent> [event] [json]',
  takes: Infinity,
  options: { required: { type: 'boolean', help: 'Block the action when there is no decision (exit 2)' } },
  examples: [
    {
      line: 'gantry hook claude PreToolUse < payload.json',
      does: 'What an agent runs where there is no native client',
    },
    { line: `gantry hook codex notify '{"type":"agent-turn-complete"}'`, does: "Codex's notify program" },
  ],
  run: ({ args }) => runHook([...args]),
}

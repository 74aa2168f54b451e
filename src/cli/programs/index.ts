/** Commands for programs. */
import { type Command, command, define, flag } from '../framework/define.ts'

export const rpc = define({
  name: 'rpc',
  summary: 'Make one call to the daemon',
  args: [
    { name: 'name', kind: 'text' },
    { name: 'json', kind: 'text' },
  ],
  options: { json: flag('Print the answer on one line') },
  examples: {
    'gantry rpc': 'Lists all calls with an example each',
    'gantry rpc events.list \'{"type":"Stop","limit":3}\'': 'Prints the last three ends of a turn',
  },
})

export const mcp = define({
  name: 'mcp',
  summary: 'Serve what gantry knows to an agent, over MCP on stdio',
  examples: {
    'gantry mcp': 'What an agent starts in its project; it ends with its stdin',
    'claude mcp add --scope user gantry -- gantry mcp':
      'Adds it to Claude Code; docs/mcp.md has the lines for the others',
  },
})

/** For its help: `main.ts` runs the hook client before anything else is loaded. */
export const hook = define({
  name: 'hook',
  summary: 'Run the hook client, in TypeScript',
  args: [
    { name: 'agent', kind: 'agent', required: true },
    { name: 'event', kind: 'type' },
    { name: 'json', kind: 'text' },
  ],
  options: { required: flag('Block the action if there is no decision (exit 2)') },
  examples: {
    'gantry hook claude PreToolUse < payload.json': 'What an agent runs without the native client',
    'gantry hook codex notify \'{"type":"agent-turn-complete"}\'': "Codex's notify program",
  },
})

export const commands: readonly Command[] = [
  command(rpc, () => import('./rpc.ts')),
  command(mcp, () => import('./mcp.ts')),
  command(hook, () => import('./hook.ts')),
]

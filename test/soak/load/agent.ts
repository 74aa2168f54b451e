/**
 * The hooks of one agent at work, session after session: prompts, tool calls, sub-agents, stops; now and then a command
 * that a rule denies. Each payload has a mark of its own.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { callOf, turnLines } from '../../../bench/agents-at-work.ts'
import { MARK } from '../ledger.ts'

export const DENIED_PROGRAM = 'deploy'

const TOOLS = ['Read', 'Bash', 'Edit', 'Bash', 'Read', 'Write'] as const
const FILES = 50
const MOST_TURNS = 6
const MOST_CALLS = 6
const SUBAGENT_SHARE = 0.15
const DENIED_SHARE = 0.08

export interface Hook {
  readonly type: string
  readonly mark: string
  readonly payload: string
  readonly root: string
  /** A rule denies it. */
  readonly isDenied: boolean
}

export interface AgentOptions {
  /** Unique in this run. */
  readonly name: string
  /** The repository it works in. */
  readonly root: string
  /** The folder of its transcripts. */
  readonly transcripts: string
  readonly random: () => number
  readonly text: (words: number) => string
}

export function* agentAtWork({
  name,
  root,
  transcripts,
  random,
  text,
}: AgentOptions): Generator<Hook, never> {
  let marks = 0
  const some = (most: number) => 1 + Math.floor(random() * most)
  const hook = (type: string, fields: object, isDenied = false): Hook => {
    const mark = `${name}-${++marks}`
    return {
      type,
      mark,
      root,
      isDenied,
      payload: JSON.stringify({ [MARK]: mark, hook_event_name: type, ...fields }),
    }
  }
  for (let session = 1; ; session++) {
    const id = `${name}-s${session}`
    const transcript = join(transcripts, `${id}.jsonl`)
    const common = {
      session_id: id,
      transcript_path: transcript,
      cwd: root,
      permission_mode: 'acceptEdits',
    }
    let calls = 0
    function* toolCall(more: object = {}) {
      const tool = TOOLS[Math.floor(random() * TOOLS.length)] ?? 'Read'
      const file = join(root, 'src', `file-${Math.floor(random() * FILES)}.ts`)
      const [input, response] = callOf(tool, file, `${name}-${calls}`, text)
      const isDenied = tool === 'Bash' && random() < DENIED_SHARE
      const call = {
        ...common,
        ...more,
        tool_name: tool,
        tool_use_id: `toolu_${id}_${++calls}`,
        tool_input: isDenied ? { command: `${DENIED_PROGRAM} production` } : input,
      }
      yield hook('PreToolUse', call, isDenied)
      if (!isDenied) yield hook('PostToolUse', { ...call, tool_response: response, duration_ms: 20 })
    }
    yield hook('SessionStart', { ...common, source: 'startup', model: 'claude-sonnet-4-5' })
    for (let turn = 0, turns = some(MOST_TURNS); turn < turns; turn++) {
      const prompt = text(40)
      appendFileSync(transcript, turnLines(id, turn, prompt, text(60)))
      yield hook('UserPromptSubmit', { ...common, prompt_id: `${id}-${turn}`, prompt })
      for (let call = some(MOST_CALLS); call > 0; call--) {
        if (random() >= SUBAGENT_SHARE) {
          yield* toolCall()
          continue
        }
        const agent = { agent_id: `${id}-a${turn}-${call}`, agent_type: 'Explore' }
        yield hook('SubagentStart', { ...common, ...agent })
        for (let inner = some(3); inner > 0; inner--) yield* toolCall(agent)
        yield hook('SubagentStop', { ...common, ...agent, stop_hook_active: false })
      }
      yield hook('Stop', { ...common, stop_hook_active: false, last_assistant_message: text(60) })
    }
    yield hook('SessionEnd', { ...common, reason: 'prompt_input_exit' })
  }
}

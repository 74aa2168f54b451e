/**
 * Simulates many working agents as the frames that their hooks would send: prompts, tool calls on real files in real
 * git repositories, stops, and transcripts that grow with every turn. The same for every measured daemon.
 */
import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { wordMaker } from './journals.ts'

const SESSIONS = 400
const REPOSITORIES = 8
const FILES = 50 // in each repository
const CALLS = ['Read', 'Bash', 'Edit', 'Bash', 'Read', 'Write', 'Bash', 'Read'] as const // twice in a turn
const CALLS_A_TURN = 2 * CALLS.length
const STEPS_A_TURN = 2 + 2 * CALLS_A_TURN
const STAGGER = 7 // so that they do not all stop at once
const WORDS = 20_000

export interface AgentsAtWork {
  /** Writes the next `count` frames into a file for `load`, timed as if sent at this rate from now on. */
  frames(file: string, count: number, aSecond: number): void
}

/** `home` holds their transcripts, `dir` their repositories. */
export function agentsAtWork(dir: string, home: string, sessions = SESSIONS): AgentsAtWork {
  const roots = Array.from({ length: REPOSITORIES }, (_, n) => repository(join(dir, `repository-${n}`)))
  const transcripts = join(home, '.claude/projects/-bench')
  mkdirSync(transcripts, { recursive: true })
  const text = wordMaker(WORDS)
  const run = Math.floor(Math.random() * 2 ** 32).toString(16)
  let next = 0
  const payloadOf = (step: number, session: number): [type: string, payload: object] => {
    const turn = Math.floor(step / STEPS_A_TURN)
    const at = step % STEPS_A_TURN
    const id = `${run}-${String(session).padStart(4, '0')}`
    const root = roots[session % roots.length] ?? ''
    const transcript = join(transcripts, `${id}.jsonl`)
    const common = {
      session_id: id,
      transcript_path: transcript,
      cwd: root,
      prompt_id: `${id}-${turn}`,
      permission_mode: 'acceptEdits',
    }
    if (at === 0) {
      const prompt = text(40)
      appendFileSync(transcript, turnLines(id, turn, prompt, text(60)))
      return ['UserPromptSubmit', { ...common, hook_event_name: 'UserPromptSubmit', prompt }]
    }
    if (at === STEPS_A_TURN - 1) {
      const said = { stop_hook_active: false, last_assistant_message: text(60) }
      return ['Stop', { ...common, effort: { level: 'medium' }, hook_event_name: 'Stop', ...said }]
    }
    const call = Math.floor((at - 1) / 2)
    const isOver = at % 2 === 0
    const type = isOver ? 'PostToolUse' : 'PreToolUse'
    const tool = CALLS[call % CALLS.length] ?? 'Read'
    const file = join(root, 'src', `file-${(session * CALLS_A_TURN + call) % FILES}.ts`)
    const [input, response] = callOf(tool, file, `${turn}-${call}`, text)
    return [
      type,
      {
        ...common,
        effort: { level: 'medium' },
        hook_event_name: type,
        tool_name: tool,
        tool_input: input,
        ...(isOver ? { tool_response: response, duration_ms: 20 } : {}),
        tool_use_id: `toolu_${id}_${turn}_${call}`,
      },
    ]
  }
  return {
    frames: (file, count, aSecond) => {
      const began = Date.now()
      const fd = openSync(file, 'w')
      for (let n = 0; n < count; n++, next++) {
        const session = next % sessions
        const step = Math.floor(next / sessions) + session * STAGGER
        const [event, payload] = payloadOf(step, session)
        const at = began + Math.round((n / aSecond) * 1000)
        writeSync(
          fd,
          frameOf(
            event,
            Buffer.from(JSON.stringify(payload)),
            `${run}-${next}`,
            at,
            roots[session % roots.length] ?? '',
          ),
        )
      }
      closeSync(fd)
    },
  }
}

/** The length in four bytes, the header as the hook client builds it, the payload. */
export function frameOf(event: string, payload: Buffer, id: string, at: number, root: string): Buffer {
  const header = {
    ...{ v: 1, kind: 'hook', agent: 'claude', event, id, at, pid: 4242, ppid: 4241, pane: '%3' },
    env: { AI_AGENT: 'claude-code_2-1-325_harness', CLAUDE_PID: '4241', CLAUDE_PROJECT_DIR: root, PWD: root },
    ...{ client: '0.1.0', hold: true, len: payload.length },
  }
  const line = Buffer.from(`${JSON.stringify(header)}\n`)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(line.length + payload.length)
  return Buffer.concat([size, line, payload])
}

export function callOf(
  tool: string,
  file: string,
  mark: string,
  text: (words: number) => string,
): [object, object] {
  const content = text(150)
  switch (tool) {
    case 'Read':
      return [
        { file_path: file },
        { type: 'text', file: { filePath: file, content, numLines: 30, startLine: 1, totalLines: 30 } },
      ]
    case 'Edit': {
      const change = { oldString: text(8), newString: text(8) }
      const patch = [
        {
          oldStart: 1,
          oldLines: 1,
          newStart: 1,
          newLines: 1,
          lines: [`-${change.oldString}`, `+${change.newString}`],
        },
      ]
      return [
        { file_path: file, old_string: change.oldString, new_string: change.newString, replace_all: false },
        {
          filePath: file,
          ...change,
          originalFile: content,
          structuredPatch: patch,
          userModified: false,
          replaceAll: false,
        },
      ]
    }
    case 'Write': {
      const made = file.replace('.ts', `-${mark}.ts`)
      return [
        { file_path: made, content },
        {
          type: 'create',
          filePath: made,
          content,
          structuredPatch: [],
          originalFile: null,
          userModified: false,
        },
      ]
    }
    default:
      return [
        { command: `make test ${text(6)}`, description: text(5) },
        { stdout: content, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      ]
  }
}

/** One prompt and one answer with its tokens. */
export function turnLines(session: string, turn: number, prompt: string, answer: string): string {
  const at = new Date().toISOString()
  const uuid = (what: string) => `${session}-${turn}-${what}`
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: 9_000,
    cache_creation_input_tokens: 400,
    output_tokens: 300,
  }
  const lines = [
    {
      type: 'user',
      uuid: uuid('p'),
      sessionId: session,
      timestamp: at,
      promptId: `${session}-${turn}`,
      message: { role: 'user', content: prompt },
    },
    {
      ...{ type: 'assistant', uuid: uuid('a'), sessionId: session, timestamp: at, requestId: uuid('r') },
      message: {
        id: uuid('m'),
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: answer }],
        usage,
      },
    },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** With a commit, and an uncommitted change. */
export function repository(root: string): string {
  mkdirSync(join(root, 'src'), { recursive: true })
  for (let n = 0; n < FILES; n++) writeFileSync(join(root, 'src', `file-${n}.ts`), `export const n = ${n}\n`)
  const git = (...args: string[]) => {
    const done = Bun.spawnSync(['git', '-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', ...args], {
      cwd: root,
    })
    if (!done.success) throw new Error(`git ${args[0]}: ${done.stderr.toString()}`)
  }
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  writeFileSync(join(root, 'src', 'file-0.ts'), 'export const n = -1\n')
  return root
}

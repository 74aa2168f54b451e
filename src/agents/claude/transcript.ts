/** Claude Code's transcript (2.1.325, 2.0.77): `<config>/projects/<folder>/<session>.jsonl`. */
import { dirname, join } from 'node:path'
import {
  errorOf,
  type JsonLine,
  listOf,
  numberOf,
  objectOf,
  parseLine,
  type ToolOutcome,
  type TranscriptFact,
  type TranscriptReader,
  textsOf,
  timeOf,
  type Whose,
} from '../transcripts/transcript.ts'
import { findVersion } from '../versions.ts'
import { contextWindowOf, LARGE_WINDOW, plainModel, SMALL_WINDOW } from './context-window.ts'
import { PEER_MESSAGE } from './injected.ts'
import { claudeMessages, claudeOrigin } from './messages.ts'
import { promptIn, toolResults } from './prompt.ts'

const INTERRUPTED = '[Request interrupted by user'
const MAX_PROMPT_CHARS = 2_000 // length limit for prompts that nobody typed

export const claudeTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    if (!line || line.isSidechain === true) return []
    const at = timeOf(line.timestamp)
    switch (line.type) {
      case 'user':
        return [...interrupted(line, at), ...asked(line, at), ...written(line, at), ...toolsEnded(line, at)]
      case 'assistant':
        return [...spoken(line, at), ...toolsBegun(line, at), ...answered(line, at)]
      case 'system':
        return line.subtype === 'turn_duration'
          ? [{ kind: 'turn-end', at, says: 'system turn_duration' }]
          : []
      case 'attachment':
        return announced(line, at)
      case 'summary':
      case 'ai-title':
      case 'custom-title':
        return titled(line, at)
      default:
        return []
    }
  },
  windows: { usual: SMALL_WINDOW, large: LARGE_WINDOW },
  places: { folders: [/./], whose },
  messages: claudeMessages,
  origin: claudeOrigin,
  sides: (path, sessionId) => join(dirname(path), sessionId, 'subagents'),
  roots: (env, home) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')],
}

function whose(text: string): Whose | undefined {
  const { sessionId, cwd, version } = parseLine(text) ?? {}
  return {
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof version === 'string' && findVersion(version) === version ? { version } : {}),
  }
}

/** Esc and a rejected dialog trigger no hook; both write this line within milliseconds. */
function interrupted(line: JsonLine, at: number): TranscriptFact[] {
  const said = textsOf(objectOf(line.message)?.content).find((text) => text.startsWith(INTERRUPTED))
  return said === undefined ? [] : [{ kind: 'interrupt', at, says: said.slice(0, 100) }]
}

function asked(line: JsonLine, at: number): TranscriptFact[] {
  const text = promptIn(line)
  return text === undefined ? [] : [{ kind: 'prompt', at, text }]
}

/** A message from another session or a teammate starts a turn without a hook (2.1.325). */
function written(line: JsonLine, at: number): TranscriptFact[] {
  const [text = ''] = textsOf(objectOf(line.message)?.content)
  if (!text.startsWith(PEER_MESSAGE)) return []
  return [
    { kind: 'turn-start', at, says: 'a message of another session', prompt: text.slice(0, MAX_PROMPT_CHARS) },
  ]
}

function toolsBegun(line: JsonLine, at: number): TranscriptFact[] {
  return partsOf(line, 'tool_use').flatMap(({ id, name, input }) =>
    typeof id === 'string' && typeof name === 'string'
      ? [{ kind: 'tool-start' as const, at, useId: id, name, input }]
      : [],
  )
}

function toolsEnded(line: JsonLine, at: number): TranscriptFact[] {
  return toolResults(objectOf(line.message)?.content).flatMap((result) => {
    const { tool_use_id: useId, is_error: failed } = result
    if (typeof useId !== 'string') return []
    const text = textsOf(result.content).join('\n')
    const outcome = failed === true ? failure(line, text) : 'ok'
    const error = outcome === 'ok' ? {} : { error: errorOf(text) }
    return [{ kind: 'tool-end' as const, at, useId, outcome, ...error }]
  })
}

function failure(line: JsonLine, text: string): ToolOutcome {
  if (line.toolDenialKind !== undefined || line.toolUseResult === 'User rejected tool use') return 'denied'
  return text.startsWith('<tool_use_error>') ? 'void' : 'error'
}

/** Only a turn that continues asks for tools. Versions that give no reason yield nothing. */
function answered(line: JsonLine, at: number): TranscriptFact[] {
  const reason = objectOf(line.message)?.stop_reason
  if (line.isApiErrorMessage === true || (reason !== 'end_turn' && reason !== 'stop_sequence')) return []
  const message = textsOf(objectOf(line.message)?.content).join('\n')
  return [{ kind: 'answer', at, final: true, ...(message === '' ? {} : { message }) }]
}

function spoken(line: JsonLine, at: number): TranscriptFact[] {
  const message = objectOf(line.message)
  if (line.isApiErrorMessage === true) {
    const error = typeof line.error === 'string' ? line.error : 'unknown'
    const said = errorOf(textsOf(message?.content).join('\n'))
    return [
      { kind: 'turn-error', at, says: 'isApiErrorMessage', error, ...(said === '' ? {} : { message: said }) },
    ]
  }
  const usage = objectOf(message?.usage)
  if (!usage) return []
  const contextTokens =
    numberOf(usage.input_tokens) +
    numberOf(usage.cache_creation_input_tokens) +
    numberOf(usage.cache_read_input_tokens) +
    numberOf(usage.output_tokens)
  if (contextTokens === 0) return []
  const model = typeof message?.model === 'string' ? message.model : ''
  const contextWindow = contextWindowOf(model)
  return [{ kind: 'usage', at, contextTokens, ...(contextWindow ? { model, contextWindow } : {}) }]
}

/** 2.1.325 announces the model before the first request and after a change; only here does its name carry [1m]. */
function announced(line: JsonLine, at: number): TranscriptFact[] {
  const attachment = objectOf(line.attachment)
  const model = attachment?.type === 'model' ? objectOf(attachment.identity)?.modelId : undefined
  const contextWindow = typeof model === 'string' ? contextWindowOf(model) : undefined
  if (typeof model !== 'string' || contextWindow === undefined) return []
  return [{ kind: 'model', at, model: plainModel(model), contextWindow }]
}

function titled(line: JsonLine, at: number): TranscriptFact[] {
  const title = line.customTitle ?? line.aiTitle ?? line.summary ?? line.title
  return typeof title === 'string' && title !== '' ? [{ kind: 'title', at, title: title.slice(0, 200) }] : []
}

function partsOf(line: JsonLine, type: string): JsonLine[] {
  return listOf(objectOf(line.message)?.content).filter((part) => part.type === type)
}

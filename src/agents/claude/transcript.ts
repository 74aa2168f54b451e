/** Claude Code's transcript (2.1.325, 2.0.77): `<config>/projects/<folder>/<session>.jsonl`. */
import { join } from 'node:path'
import {
  type Line,
  numberOf,
  objectOf,
  parseLine,
  type TranscriptFact,
  type TranscriptReader,
  timeOf,
} from '../transcript.ts'

const INTERRUPTED = '[Request interrupted by user'

export const claudeTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    if (!line || line.isSidechain === true) return []
    const at = timeOf(line.timestamp)
    switch (line.type) {
      case 'user':
        return interrupted(line, at)
      case 'assistant':
        return spoken(line, at)
      case 'system':
        return line.subtype === 'turn_duration'
          ? [{ kind: 'turn-end', at, says: 'system turn_duration' }]
          : []
      case 'summary':
      case 'ai-title':
      case 'custom-title':
        return titled(line, at)
      default:
        return []
    }
  },
  roots: (env, home) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')],
}

/** Esc and a rejected dialog fire no hook; both write this line within milliseconds. */
function interrupted(line: Line, at: number): TranscriptFact[] {
  const content = objectOf(line.message)?.content
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const said = parts
    .map((part) => objectOf(part)?.text)
    .find((text) => typeof text === 'string' && text.startsWith(INTERRUPTED))
  return typeof said === 'string' ? [{ kind: 'interrupt', at, says: said.slice(0, 100) }] : []
}

function spoken(line: Line, at: number): TranscriptFact[] {
  const message = objectOf(line.message)
  if (line.isApiErrorMessage === true) {
    const error = typeof line.error === 'string' ? line.error : 'unknown'
    return [{ kind: 'turn-error', at, says: 'isApiErrorMessage', error }]
  }
  const usage = objectOf(message?.usage)
  if (!usage) return []
  const contextTokens =
    numberOf(usage.input_tokens) +
    numberOf(usage.cache_creation_input_tokens) +
    numberOf(usage.cache_read_input_tokens) +
    numberOf(usage.output_tokens)
  return contextTokens > 0 ? [{ kind: 'usage', at, contextTokens }] : []
}

function titled(line: Line, at: number): TranscriptFact[] {
  const title = line.customTitle ?? line.aiTitle ?? line.summary ?? line.title
  return typeof title === 'string' && title !== '' ? [{ kind: 'title', at, title: title.slice(0, 200) }] : []
}

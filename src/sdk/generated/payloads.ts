/** The payloads of all agents, by agent. Made by "npm run sdk:types". */
import { type ClaudePayloads, type ClaudeToolPayloads } from './claude.ts'
import { type CodexPayloads, type CodexToolPayloads } from './codex.ts'
import { type GeminiPayloads, type GeminiToolPayloads } from './gemini.ts'
import { type CopilotPayloads, type CopilotToolPayloads } from './copilot.ts'
import { type OpencodePayloads, type OpencodeToolPayloads } from './opencode.ts'

export interface Payloads {
  "claude": ClaudePayloads
  "codex": CodexPayloads
  "gemini": GeminiPayloads
  "copilot": CopilotPayloads
  "opencode": OpencodePayloads
}

export interface ToolPayloads {
  "claude": ClaudeToolPayloads
  "codex": CodexToolPayloads
  "gemini": GeminiToolPayloads
  "copilot": CopilotToolPayloads
  "opencode": OpencodeToolPayloads
}

/** The payloads of all agents, by agent. Made by "npm run sdk:types". */
import type { ClaudePayloads, ClaudeToolPayloads } from './claude.ts'
import type { CodexPayloads, CodexToolPayloads } from './codex.ts'
import type { GeminiPayloads, GeminiToolPayloads } from './gemini.ts'
import type { CopilotPayloads, CopilotToolPayloads } from './copilot.ts'
import type { OpencodePayloads, OpencodeToolPayloads } from './opencode.ts'
import type { QwenPayloads, QwenToolPayloads } from './qwen.ts'
import type { DroidPayloads, DroidToolPayloads } from './droid.ts'
import type { KiloPayloads, KiloToolPayloads } from './kilo.ts'
import type { PiPayloads, PiToolPayloads } from './pi.ts'

export interface Payloads {
  "claude": ClaudePayloads
  "codex": CodexPayloads
  "gemini": GeminiPayloads
  "copilot": CopilotPayloads
  "opencode": OpencodePayloads
  "qwen": QwenPayloads
  "droid": DroidPayloads
  "kilo": KiloPayloads
  "pi": PiPayloads
}

export interface ToolPayloads {
  "claude": ClaudeToolPayloads
  "codex": CodexToolPayloads
  "gemini": GeminiToolPayloads
  "copilot": CopilotToolPayloads
  "opencode": OpencodeToolPayloads
  "qwen": QwenToolPayloads
  "droid": DroidToolPayloads
  "kilo": KiloToolPayloads
  "pi": PiToolPayloads
}

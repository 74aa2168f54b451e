/**
 * The agents that gantry supports: one record each. No other folder knows an agent's dialect.
 *
 *   const event = agentFor(rawEvent.agent).read(JSON.parse(raw), rawEvent)
 */
import type { Agent } from './agent.ts'
import { claude } from './claude/index.ts'
import { codex } from './codex/index.ts'
import { copilot } from './copilot/index.ts'
import { droid } from './droid/index.ts'
import { gemini } from './gemini/index.ts'
import { generic } from './generic.ts'
import { kilo } from './kilo/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import { qwen } from './qwen/index.ts'

export type { Agent, Answer, Opened, PresenceReader, StatusReader } from './agent.ts'
export type { Bundle } from './bundle.ts'
export { formsOf, type HookClient } from './command-line.ts'
export {
  type AgentSettings,
  type BeyondJson,
  type Entry,
  type Env,
  type HookTrust,
  type Json,
  knownHooks,
  type Path,
  type TrustQuestion,
  type Wiring,
  type Written,
} from './settings.ts'
export { type FileTouch, MAX_TOUCHED_FILES, patchText, touchedFiles } from './tools/file-changes.ts'
export { EDITING_TOOLS, type FileEdit, fileEdits, type Piece } from './tools/file-edits.ts'
export { isMcpTool } from './tools/mcp-name.ts'
export { addedText, patchedText, unpatchedText } from './tools/patch.ts'
export { readFiles, type ShellLine, shellLine, writtenText } from './tools/tool-call.ts'
export { Conversation, type MessagePart } from './transcripts/messages.ts'
export { costOf, PRICES, type Price, priceOf } from './transcripts/prices.ts'
export type { Origin, ToolOutcome, TranscriptFact, TranscriptReader } from './transcripts/transcript.ts'
export { type MeterState, meter, newMeter, type UsageDelta } from './transcripts/usage-meter.ts'
export { compareVersions, findVersion, isAtLeast } from './versions.ts'

export const agents: ReadonlyMap<string, Agent> = new Map(
  [claude, codex, gemini, copilot, opencode, qwen, droid, kilo, pi].map((agent) => [agent.id, agent]),
)

/** An unknown id gets the generic reader: its events are kept, and never answered. */
export function agentFor(id: string): Agent {
  return agents.get(id) ?? generic
}

/**
 * The canonical event: all that folders other than `agents/` know of a hook. The native bytes stay beside it in `raw`. The
 * schema is the contract for input from outside. On the hook path the agents' readers build events, and tests check them
 * against this schema.
 */
import { z } from 'zod'

const tool = z.strictObject({
  name: z.string(),
  input: z.unknown(),
  /** Absent where the agent gives none: Gemini, and PermissionRequest of Claude and Codex. */
  useId: z.string().optional(),
  response: z.unknown().optional(),
  error: z.string().optional(),
  durationMs: z.number().optional(),
  /** The user interrupted the tool. */
  interrupted: z.boolean().optional(),
  mcpServer: z.string().optional(),
  /** The sub-agent that runs for the duration of this call, where the agent has no other event for it: Gemini. */
  agent: z.string().optional(),
})

const backgroundTask = z.strictObject({
  id: z.string(),
  type: z.string().optional(),
  status: z.string().optional(),
  description: z.string().optional(),
  command: z.string().optional(),
  agentType: z.string().optional(),
})

const clientFacts = z.strictObject({
  pid: z.number().optional(),
  ppid: z.number().optional(),
  /** The agent's process, as the daemon saw it while the client waited; 0 if not visible from here. */
  agentPid: z.number().optional(),
  pane: z.string().optional(),
  tmux: z.string().optional(),
  /** Version of the hook client. */
  version: z.string().optional(),
  env: z.record(z.string(), z.string()),
})

export const TRANSPORTS = [
  'socket',
  'http',
  'rpc',
  'relay',
  'spool',
  'healer',
  'emit',
  'replay',
  'import',
] as const

export const hookEventSchema = z.strictObject({
  id: z.string(),
  /** Position in the journal; 0 until the event is stored. */
  seq: z.number().int().nonnegative(),
  /** UTC milliseconds: `at` by the agent's clock, `receivedAt` by the daemon's. */
  at: z.number(),
  receivedAt: z.number(),
  agent: z.string(),
  agentVersion: z.string().optional(),
  type: z.string(),
  /** The event's name as the agent gave it. */
  native: z.string(),
  sessionId: z.string(),
  agentId: z.string().optional(),
  agentType: z.string().optional(),
  turnId: z.string().optional(),
  cwd: z.string().optional(),
  transcriptPath: z.string().optional(),
  permissionMode: z.string().optional(),
  tool: tool.optional(),
  prompt: z.string().optional(),
  /** The agent itself wrote the prompt, not a person. */
  promptInjected: z.boolean().optional(),
  /** The model's last message of the turn. */
  message: z.string().optional(),
  notification: z
    .strictObject({ type: z.string(), message: z.string().optional(), title: z.string().optional() })
    .optional(),
  /** The API error that ended the turn. */
  error: z.strictObject({ kind: z.string(), message: z.string().optional() }).optional(),
  /** On a session start: a prompt created the session, and that prompt's event follows. */
  prompted: z.boolean().optional(),
  source: z.string().optional(),
  reason: z.string().optional(),
  trigger: z.string().optional(),
  model: z.string().optional(),
  /** A stop hook already kept this turn going. */
  stopHookActive: z.boolean().optional(),
  backgroundTasks: z.array(backgroundTask).optional(),
  /** The sub-agent that this call started: the call is over, and the sub-agent runs in the background. */
  spawned: z.strictObject({ agentId: z.string(), teammate: z.boolean().optional() }).optional(),
  /** Ids of calls that have ended, whatever their outcome. */
  endedCalls: z.array(z.string()).optional(),
  agentTranscriptPath: z.string().optional(),
  teammate: z.strictObject({ name: z.string(), team: z.string().optional() }).optional(),
  task: z
    .strictObject({ id: z.string(), subject: z.string().optional(), description: z.string().optional() })
    .optional(),
  usage: z
    .strictObject({
      contextPct: z.number().optional(),
      contextTokens: z.number().optional(),
      contextWindow: z.number().optional(),
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      costUsd: z.number().optional(),
      linesAdded: z.number().optional(),
      linesRemoved: z.number().optional(),
    })
    .optional(),
  /** Stored but not counted: the reason, e.g. `title-thread` or `no-compaction`. */
  hidden: z.string().optional(),
  /** Native fields without a canonical counterpart, unchanged. */
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Names among `fields` that this agent was never seen to send: schema drift. */
  unknown: z.array(z.string()).optional(),
  /** Full size in bytes of a payload over the limit; `raw` holds its beginning. */
  cutFrom: z.number().optional(),
  /** The payload was cut, is nested too deeply or is not JSON: missing fields are unknown, not empty. */
  partial: z.boolean().optional(),
  client: clientFacts,
  transport: z.enum(TRANSPORTS),
  /** The native payload, byte for byte; a string where it is valid UTF-8. */
  raw: z.union([z.string(), z.custom<Uint8Array>((value) => value instanceof Uint8Array)]),
})

export type HookEvent = Readonly<z.infer<typeof hookEventSchema>>
export type HookTool = NonNullable<HookEvent['tool']>
export type BackgroundTask = z.infer<typeof backgroundTask>
export type ClientFacts = HookEvent['client']
export type Transport = HookEvent['transport']

/** An event before its payload is parsed. */
export interface RawEvent {
  readonly id: string
  readonly at: number
  readonly receivedAt: number
  readonly agent: string
  /** The event's name when the hook's command line gave it. */
  readonly event?: string
  readonly client: ClientFacts
  readonly transport: Transport
  readonly cutFrom?: number
  readonly raw: HookEvent['raw']
}

/**
 * Which Claude Code sent this. 2.1.325 says so in the environment of its hooks, `AI_AGENT` =
 * `claude-code_2-1-325_harness`; 2.0.77 says nothing, except in the status line's own `version`.
 */
import type { ClientFacts } from '../../events/index.ts'

const AI_AGENT = /^claude-code_(\d+)-(\d+)-(\d+)(?:[-_]|$)/

export function claudeVersion(env: ClientFacts['env']): string | undefined {
  const match = env.AI_AGENT === undefined ? null : AI_AGENT.exec(env.AI_AGENT)
  return match === null ? undefined : `${match[1]}.${match[2]}.${match[3]}`
}

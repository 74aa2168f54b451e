/**
 * The Claude Code version behind a hook. 2.1.325 sets `AI_AGENT` = `claude-code_2-1-325_harness` in the environment of its
 * hooks. 2.0.77 reports its version only in the status line's `version`.
 */
import type { ClientFacts } from '../../events/index.ts'

const AI_AGENT = /^claude-code_(\d+)-(\d+)-(\d+)(?:[-_]|$)/

export function claudeVersion(env: ClientFacts['env']): string | undefined {
  const match = env.AI_AGENT === undefined ? null : AI_AGENT.exec(env.AI_AGENT)
  return match === null ? undefined : `${match[1]}.${match[2]}.${match[3]}`
}

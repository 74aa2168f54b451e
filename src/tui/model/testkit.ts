/** Sessions for the tests of the models. */
import type { SessionView } from '../../client/index.ts'
import { type Line, textOf } from './line.ts'

export const NOW = 1_763_000_000_000

export function sessionOf(name: string, parts: Partial<SessionView> = {}): SessionView {
  return {
    id: name,
    key: `claude ${name}`,
    name,
    agent: 'claude',
    phase: 'working',
    attention: [],
    needsYou: false,
    turn: { open: true, startedAt: NOW - 60_000 },
    openTools: [],
    background: [],
    children: [],
    seen: false,
    stale: false,
    usage: { near: 'none' },
    generation: 1,
    startedAt: NOW - 600_000,
    durationMs: 600_000,
    lastActivity: NOW - 1_000,
    project: 'acme',
    root: '/work/acme',
    branch: 'main',
    cwd: '/work/acme',
    pane: '%3',
    ...parts,
  }
}

/** A session that waits for a permission. */
export function needyOf(name: string, parts: Partial<SessionView> = {}): SessionView {
  return sessionOf(name, {
    phase: 'blocked',
    needsYou: true,
    attention: [{ kind: 'permission', reason: 'Permission for Bash', tool: 'Bash', since: NOW - 120_000 }],
    ...parts,
  })
}

export function textsOf(lines: readonly Line[]): string[] {
  return lines.map((line) => textOf(line).trimEnd())
}

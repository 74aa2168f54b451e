import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../../test/kit.ts'
import type { WireEvent } from '../../client/index.ts'
import type { HookEvent } from '../../events/index.ts'
import { timelineOf } from '../../timeline/index.ts'
import { widthOf } from '../framework/terminal.ts'
import { timelineLines } from './timeline-lines.ts'

const ME = { id: 's1', agent: 'claude' }

const event = (at: number, type: string, parts: Partial<HookEvent> = {}) =>
  eventOf({ at, seq: at, type, native: type, ...parts }) as WireEvent

const tool = (name: string, useId?: string) => ({
  tool: { name, input: { command: 'npm test' }, ...(useId ? { useId } : {}) },
})

function at100<T>(work: () => T): T {
  const { COLUMNS: before } = process.env
  process.env.COLUMNS = '100'
  try {
    return work()
  } finally {
    if (before === undefined) delete process.env.COLUMNS
    else process.env.COLUMNS = before
  }
}

describe('the lines', () => {
  const entries = timelineOf(
    ME,
    [
      event(1_000, 'UserPromptSubmit', { prompt: `日本語${'x'.repeat(500)}\u001b[2J\r\nend` }),
      event(62_000, 'PreToolUse', { agentId: 'a1', ...tool('mcp__github__create_issue', 'a') }),
      event(63_500, 'PostToolUse', { agentId: 'a1', ...tool('mcp__github__create_issue', 'a') }),
      event(64_000, 'PreToolUse', {
        tool: { name: '\u001b]0;x\u0007', input: { command: `e${'\u0301'.repeat(5_000)}` } },
      }),
    ],
    [],
  )
  const lines = at100(() => timelineLines(entries, 1_000, 70_000))

  test('are one each, no wider than the terminal, and drive nothing', () => {
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(100)
      expect(line.length).toBeLessThan(1_000)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }
  })

  test('have the time since the start, the tool’s own name and how long it took', () => {
    expect(lines[0]).toStartWith('    +0:00  » prompt')
    expect(lines[1]).toMatch(/^ {4}\+1:01 {2}│ ✓ create_issue {3}npm test +1\.5s$/)
    expect(lines[2]).toEndWith('runs 6s')
  })
})

import { expect, test } from 'bun:test'
import type { SessionView } from '../../../client/index.ts'
import type { Entry } from '../../../timeline/entry.ts'
import { htmlOf } from './html.ts'

const EVIL = `<script>alert("x")</script><img src=x onerror='y'>`

const session = {
  ...{ id: 's1', key: 'claude:s1', name: 'brave-otter', agent: 'claude', phase: 'idle', attention: [] },
  ...{
    needsYou: false,
    turn: { open: false },
    openTools: [],
    background: [],
    children: [],
    seen: true,
    stale: false,
  },
  ...{
    usage: { near: 'none', costUsd: 4.87 },
    generation: 1,
    startedAt: 1_000,
    durationMs: 5,
    lastActivity: 2_000,
  },
  ...{ project: EVIL, branch: EVIL, model: EVIL },
} as SessionView

const entries: Entry[] = [
  { seq: 1, at: 1_000, kind: 'prompt', label: 'prompt', text: EVIL },
  { seq: 2, at: 1_500, endAt: 2_500, kind: 'tool', label: EVIL, text: EVIL },
  { seq: 3, at: 3_000, kind: 'stop', label: 'done', text: '' },
]

const html = htmlOf({
  session,
  timeline: { entries, cut: false },
  changes: {
    prompts: [{ seq: 1, at: 1_000, text: EVIL }],
    files: [
      {
        ...{ path: `/${EVIL}`, rel: EVIL, disk: 'changed', created: false, added: 1, removed: 1 },
        edits: [
          {
            seq: 2,
            at: 2_000,
            tool: EVIL,
            kind: 'edit',
            before: `a ${EVIL}\n`,
            after: `b ${EVIL}\n`,
            added: 1,
            removed: 1,
          },
        ],
      },
    ],
    cut: false,
  },
  messages: [
    { id: '1', role: 'user', at: 1_000, text: EVIL },
    {
      id: '2',
      role: 'assistant',
      at: 1_000,
      text: `\`\`\`\n${EVIL}\n\`\`\``,
      tool: { name: EVIL, input: EVIL, result: EVIL },
    },
  ],
  host: EVIL,
  now: 9_000,
})

test('has no script, no foreign address, and every text as text', () => {
  expect(html).not.toMatch(/<(script|img|link|iframe|object|embed)/i)
  expect(html).not.toMatch(/https?:/)
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(10)
  for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'none'"])
    expect(html).toContain(rule)
})

test('has the figures, the timeline, the diff and the transcript', () => {
  expect(html).toContain('brave-otter')
  expect(html).toContain('$4.87')
  expect(html).toContain('changed since')
  expect(html).toContain('<i class="del">')
  expect(html).toContain('<h2>Transcript</h2>')
})

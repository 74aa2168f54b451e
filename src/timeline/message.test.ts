import { expect, test } from 'bun:test'
import { ownWords } from './message.ts'

test.each([
  [
    'a denial: by whom and why',
    'DECISION_EVENTS',
    { event_type: 'PreToolUse', tool: 'Bash', decision: 'deny', by: 'no-touch', reason: 'not here' },
    'PreToolUse  Bash  by no-touch  not here',
  ],
  [
    'a rewrite',
    'DECISION_EVENTS',
    { event_type: 'PreToolUse', tool: 'Bash', decision: 'allow', by: 'longer', input: { command: 'ls -l' } },
    'PreToolUse  Bash  by longer  rewritten',
  ],
  [
    'a request for approval rewrites nothing',
    'DECISION_EVENTS',
    { tool: 'Bash', input: { command: 'ls' }, reason: 'sure?' },
    'Bash  sure?',
  ],
  [
    'a session that was denied something',
    'SESSION_EVENTS',
    { name: 'mild-gibbon', detail: 'Thinking', denied: { by: 'guard:git-force-push', line: 'git push -f' } },
    'mild-gibbon  denied by guard:git-force-push: git push -f',
  ],
  [
    'a session at work',
    'SESSION_EVENTS',
    { name: 'mild-gibbon', detail: 'Bash', attention: [] },
    'mild-gibbon  Bash',
  ],
  [
    'a session that waits',
    'SESSION_EVENTS',
    { name: 'mild-gibbon', attention: [{ reason: 'Permission for Bash' }] },
    'mild-gibbon  Permission for Bash',
  ],
  ['nonsense', 'SESSION_EVENTS', { name: 7, denied: { by: {}, line: [] }, attention: 'x' }, 'denied'],
  ["an agent's own payload", 'HOOK_EVENTS', { reason: 'x' }, undefined],
])('%s', (_, stream, fields, words) => {
  expect(ownWords(stream, fields)).toBe(words as string)
})

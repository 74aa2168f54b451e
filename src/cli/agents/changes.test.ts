import { expect, test } from 'bun:test'
import { folded } from './changes.ts'

const line = (event: string, timeout = 30, end = ',') =>
  `+    "${event}": [{ "command": "hook ${event}", "timeout": ${timeout} }]${end}`

test('lines of one kind are folded into the first and the names of the others', () => {
  const lines = [
    '@@ -1 +1 @@',
    ' {',
    line('Stop', 660),
    line('SessionEnd'),
    line('Setup'),
    line('tool.execute', 30, ''),
    '+  }',
  ]
  expect(folded(lines)).toEqual([
    '@@ -1 +1 @@',
    ' {',
    line('Stop', 660),
    '+    … the same for SessionEnd, Setup, tool.execute',
    '+  }',
  ])
})

test('a few of them, and whatever differs in more than the event, stay as they are', () => {
  const few = [line('Stop'), line('Setup'), line('SessionEnd')]
  expect(folded(few)).toEqual(few)
  const others = ['A', 'B', 'C', 'D', 'E'].map((event, i) =>
    line(event).replace('hook', `hook${'x'.repeat(i)}`),
  )
  expect(folded(others)).toEqual(others)
})

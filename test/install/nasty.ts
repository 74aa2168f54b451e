/** Settings files as people have them: each must come back byte for byte. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { agents, type BeyondJson } from '../../src/agents/index.ts'
import type { User } from './kit.ts'

export interface Nasty {
  readonly name: string
  /** Puts the file there, or not. */
  readonly set: (user: User, file: string) => void
  /** Its text, for what can be said about it without the file. */
  readonly text?: string
  /** What is in it that is not JSON. */
  readonly beyond: readonly BeyondJson[]
}

const FOREIGN = { type: 'command', command: 'echo "théirs" \\ $HOME' }
const group = (matcher: string) => ({ matcher, hooks: [FOREIGN] })
const pretty = (value: unknown, indent: number | string = 2) => `${JSON.stringify(value, null, indent)}\n`

const events = [
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SessionStart',
  'BeforeTool',
  'AfterAgent',
  'Notification',
]
const fiftyNine = Object.fromEntries(
  events.map((event, i) => [event, Array.from({ length: i < 3 ? 9 : 8 }, (_, n) => group(`Tool${n}`))]),
)
/** 60 KB for each thousand. */
export const longFile = (entries: number) => ({
  model: 'opus',
  permissions: { allow: Array.from({ length: entries }, (_, i) => `Bash(npm run task-${i} -- --flag:*)`) },
  hooks: { PreToolUse: [group('Bash')] },
})

const TEXTS: Readonly<Record<string, string>> = {
  'two spaces': pretty({ model: 'opus', env: { A: '1' } }),
  'four spaces': pretty({ model: 'opus', env: { A: '1' } }, 4),
  tabs: pretty({ model: 'opus', hooks: { PreToolUse: [group('Bash')] } }, '\t'),
  minified: JSON.stringify({ model: 'opus', hooks: { PreToolUse: [group('Bash')], Stop: [] } }),
  'one line with spaces': '{ "model": "opus", "hooks": { "Stop": [ { "hooks": [] } ] } }\n',
  'no final newline': '{\n  "model": "opus"\n}',
  'empty file': '',
  'only white space': '\n\n  \n',
  'only comments': '// nothing yet\n/* really */',
  '{}': '{}',
  '{} over three lines': '{\n\n}\n',
  '{ } with a space': '{ }\n',
  'hooks: {}': '{\n  "hooks": {}\n}\n',
  'hooks: {} on one line': '{"hooks":{}}',
  'an empty array for an event': '{\n  "hooks": {\n    "PreToolUse": [],\n    "Stop": [\n    ]\n  }\n}\n',
  '59 foreign hooks': pretty({ hooks: fiftyNine, model: 'opus' }),
  'comments everywhere':
    '// head\n{\n  // before model\n  "model": "opus", // after model\n  /* block */ "hooks": { // open\n    "PreToolUse": [ // list\n      { "matcher": "Bash", "hooks": [] } // last, no comma\n      // dangling\n    ]\n    // end of hooks\n  } // after hooks\n  // end\n}\n// foot\n',
  'trailing commas':
    '{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [], },\n    ],\n  },\n}\n',
  'trailing commas on one line': '{"model":"opus","hooks":{"Stop":[{"hooks":[],},],},}',
  crlf: pretty({ model: 'opus', hooks: { PreToolUse: [group('Bash')] } }).replaceAll('\n', '\r\n'),
  'crlf and comments': '{\r\n  // mine\r\n  "model": "opus" // last\r\n}\r\n',
  'a byte order mark': `\uFEFF${pretty({ model: 'opus' })}`,
  'a byte order mark and nothing else': '\uFEFF',
  unicode: pretty({ ключ: '値 🪝', emoji: '👩‍👩‍👧', hooks: { PreToolUse: [group('日本語')] } }),
  'escaped keys': '{\n  "\\u0068ooks": {\n    "Pre\\u0054oolUse": []\n  }\n}\n',
  'keys named like JavaScript':
    '{\n  "__proto__": { "a": 1 },\n  "constructor": 1,\n  "hooks": { "toString": [] }\n}\n',
  'mixed line layout':
    '{ "model": "opus",\n"env": {"A":"1"},\n\n\n   "hooks": {"PreToolUse": [{\n"hooks": []\n}] }}\n\n\n',
  'duplicate keys off our path': '{\n  "model": "a",\n  "model": "b",\n  "env": { "A": 1, "A": 2 }\n}\n',
  '15 KB': pretty(longFile(250)),
  '15 KB on one line': JSON.stringify(longFile(250)),
  'deep nesting': `{"deep":${'['.repeat(500)}${']'.repeat(500)},"model":"opus"}`,
  'a status line': pretty({ statusLine: { type: 'command', command: 'echo hi', padding: 0 } }),
  'a status line on one line':
    '{"statusLine":{"type":"command","command":"echo \\"hi\\" # note","refreshInterval":5}}',
  'a status line with comments':
    '{\n  "statusLine": {\n    "type": "command", // always\n    // the script\n    "command": "~/.claude/line.sh"\n  }\n}\n',
  'a status line of another kind': '{\n  "statusLine": { "type": "static", "text": "hello" }\n}\n',
  'a status line that is null': '{ "statusLine": null }\n',
}

const BEYOND: Readonly<Record<string, readonly BeyondJson[]>> = {
  'only comments': ['a comment'],
  'comments everywhere': ['a comment'],
  'trailing commas': ['a trailing comma'],
  'trailing commas on one line': ['a trailing comma'],
  'crlf and comments': ['a comment'],
  'a byte order mark': ['a byte order mark'],
  'a byte order mark and nothing else': ['a byte order mark'],
  'a status line with comments': ['a comment'],
}

const NASTY_FILES: readonly Omit<Nasty, 'beyond'>[] = [
  {
    name: 'missing, with its folder',
    set: (user, file) => mkdirSync(dirname(user.path(file)), { recursive: true }),
  },
  { name: 'missing, and its folder, too', set: () => {} },
  { name: 'mode 0600', set: (user, file) => user.put(file, '{"model":"opus"}', 0o600) },
  { name: 'mode 0664', set: (user, file) => user.put(file, '{"model":"opus"}', 0o664) },
  {
    name: 'an absolute link',
    set(user, file) {
      user.put('dotfiles/settings', '{\n  "model":"opus"   }\n', 0o640)
      mkdirSync(dirname(user.path(file)), { recursive: true })
      symlinkSync(user.path('dotfiles/settings'), user.path(file))
    },
  },
  {
    name: 'a relative link to a link',
    set(user, file) {
      user.put('dotfiles/real/settings.json', '{"model":"opus"}\n')
      symlinkSync('real/settings.json', user.path('dotfiles/settings.json'))
      mkdirSync(dirname(user.path(file)), { recursive: true })
      const up = '../'.repeat(file.split('/').length - 1)
      symlinkSync(`${up}dotfiles/settings.json`, user.path(file))
    },
  },
  {
    name: 'in a folder that is a link',
    set(user, file) {
      mkdirSync(user.path('dotfiles/folder'), { recursive: true })
      mkdirSync(dirname(dirname(user.path(file))), { recursive: true })
      symlinkSync(user.path('dotfiles/folder'), dirname(user.path(file)))
      user.put(file, '{ "model": "opus" }')
    },
  },
  {
    name: 'in a folder for its owner alone',
    set(user, file) {
      user.put(file, '{\n\t"model": "opus"\n}\n')
      chmodSync(dirname(user.path(file)), 0o700)
    },
  },
]

export const NASTY: readonly Nasty[] = [
  ...Object.entries(TEXTS).map(
    ([name, text]): Nasty => ({
      name,
      text,
      set: (user, file) => user.put(file, text),
      beyond: BEYOND[name] ?? [],
    }),
  ),
  ...NASTY_FILES.map((one) => ({ ...one, beyond: [] })),
]

/** Those that this agent reads, and those that it refuses. */
export function nastyFor(id: string): {
  readonly taken: readonly Nasty[]
  readonly refused: readonly Nasty[]
} {
  const takes = agents.get(id)?.settings?.takes ?? []
  const isTaken = ({ beyond }: Nasty) => beyond.every((what) => takes.includes(what))
  return { taken: NASTY.filter(isTaken), refused: NASTY.filter((one) => !isTaken(one)) }
}

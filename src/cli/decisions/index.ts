/** Commands about decisions: permissions that wait for a person, the rules, the guards and the handlers. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { json, jsonList, payloadAgent, since } from '../framework/options.ts'

const CAP_NAMES = ['cost_usd', 'tokens', 'tool_calls', 'wall_minutes'] as const
const PRESETS = ['off', 'watch', 'standard', 'strict'] as const

export const approvals = define({
  name: 'approvals',
  summary: 'List permission requests that wait for your answer',
  shows: 'config',
  args: [{ name: 'approval', kind: 'approval' }],
  options: {
    follow: flag('Stay, and print new requests and their outcome', 'f'),
    json: flag('Print an object; with --follow, one message per line'),
  },
  examples: {
    'gantry approvals': 'Lists each with the id to approve or deny it by',
    'gantry approvals riko7': "Shows one of them with the tool's whole input",
    'gantry approvals --follow': 'For a terminal beside your agents',
  },
})

const missing = 'Say which one, by its id or by its session: "gantry approvals" lists them.'
const answered = flag('Print the answer as JSON')

export const approve = define({
  name: 'approve',
  summary: 'Approve a permission request; without an id, list them',
  args: [{ name: 'approval', kind: 'approval', value: 'approval|session' }],
  options: {
    message: { kind: 'text', short: 'm', help: 'Store this with the answer; the agent does not get it' },
    json: answered,
  },
  examples: {
    'gantry approve riko7': 'The tool runs, and the prompt in its terminal closes',
    'gantry approve brave-otter': 'By session name, if only one of its requests waits',
    'gantry approve': 'Lists what waits, with ids',
  },
})

export const deny = define({
  name: 'deny',
  summary: 'Deny a permission request, with a reason',
  args: [{ name: 'approval', kind: 'approval', value: 'approval|session', required: true, missing }],
  options: { message: { kind: 'text', short: 'm', help: 'Tell the model this reason' }, json: answered },
  examples: {
    'gantry deny riko7': 'The tool does not run; the model is told that a person denied it',
    'gantry deny riko7 --message "Use the staging database."': 'Tells the model what to do instead',
  },
})

const draft = { kind: 'file', help: 'A file or folder of rules instead of those in force' } as const

export const rules = define({
  name: 'rules',
  summary: 'List the rules that decide on hooks; check, test, rehearse and trust them',
  shows: 'rules',
  args: [
    {
      name: 'action',
      kind: 'choice',
      choices: ['list', 'check', 'test', 'why', 'replay', 'suggest', 'score', 'schema', 'trust', 'untrust'],
    },
  ],
  options: { json },
  examples: {
    'gantry rules': 'Lists the rules in force, by priority; "list" may be left out',
    'gantry rules check': 'Names every mistake in the files',
    "gantry rules test --command 'git push -f'": 'What rules and guards say to a command',
    'gantry rules why 01KA2Z5V3C7Q9M0XW4T8R6Y1BN': 'Why a past event was answered as it was',
    'gantry rules replay --rules draft.yaml': 'What a draft would have done to past events',
    'gantry rules suggest': 'Proposes rules from what you approved and denied',
    'gantry rules test --help': 'Each of them has a help of its own',
  },
})

export const rulesCheck = define({
  name: 'rules check',
  summary: 'Check files of rules: mistakes, examples, names that nobody has; without the daemon',
  args: [{ name: 'file', kind: 'file', value: 'file|folder' }],
  options: { json },
  examples: {
    'gantry rules check':
      'Prints file, line and key of every mistake in your rules and those of this repository; exit 1 if there is one',
    'gantry rules check draft.yaml': 'The same for a draft',
  },
})

export const rulesTest = define({
  name: 'rules test',
  summary: 'Show what rules and guards say to a command or a payload; nothing runs',
  args: [{ name: 'payload', kind: 'file', value: 'payload.json' }],
  options: {
    command: { kind: 'text', help: 'A shell command instead of a payload' },
    agent: payloadAgent,
    rules: draft,
    json: flag('Print as JSON, which is what a pipe gets anyway'),
  },
  examples: {
    "gantry rules test --command 'git push -f'":
      'Prints the verdict, the reply to the agent, and which rules matched, did not, or could not tell, and why; also without the daemon',
    'gantry rules test payload.json': 'The same for the payload of a hook; "-" reads stdin',
    "gantry rules test --rules draft.yaml --command 'git push -f'": 'The same with the rules of a draft',
  },
})

export const rulesScore = define({
  name: 'rules score',
  summary: 'Judge labelled commands with the guards, without the daemon',
  args: [
    {
      name: 'corpus',
      kind: 'file',
      value: 'corpus.jsonl',
      required: true,
      missing: 'Name a corpus.',
    },
  ],
  options: {
    preset: { kind: 'choice', choices: PRESETS, default: 'standard', help: 'The preset of the guards' },
    json,
  },
  examples: {
    'gantry rules score corpus.jsonl --preset strict':
      'Judges {command, expect} lines, and names the first misses',
  },
})

const rulesSchema = define({
  name: 'rules schema',
  summary: 'Print the JSON Schema of a file of rules, for editors',
  examples: { 'gantry rules schema > rules.schema.json': 'For the first line of a file of rules' },
})

const folder = { name: 'folder', kind: 'dir' } as const

export const rulesTrust = define({
  name: 'rules trust',
  summary: 'Trust the rules that a repository brings along',
  args: [folder],
  examples: {
    'gantry rules trust':
      'Shows the rules of this repository (.gantry/rules), and asks whether they shall apply',
  },
})

export const rulesUntrust = define({
  name: 'rules untrust',
  summary: 'End the trust in the rules of a repository',
  args: [folder],
  examples: { 'gantry rules untrust': 'The rules of this repository do not apply any more' },
})

export const rulesWhy = define({
  name: 'rules why',
  summary: 'Show why an event is answered as it is, rule by rule and guard by guard',
  args: [
    {
      name: 'event',
      kind: 'text',
      value: 'event-id',
      required: true,
      missing: 'Say which event, by its id: "gantry events --json" has them.',
    },
  ],
  options: { json },
  examples: {
    'gantry rules why 01KA2Z5V3C7Q9M0XW4T8R6Y1BN':
      'What each rule and guard says today, the bytes it matched, and what was answered then',
  },
})

export const rulesReplay = define({
  name: 'rules replay',
  summary: 'Show what rules and guards would have done to past events',
  options: {
    since: { ...since, default: '30d' },
    rules: draft,
    preset: {
      kind: 'choice',
      choices: PRESETS,
      help: 'The preset of the guards instead of the one in force',
    },
    json,
  },
  examples: {
    'gantry rules replay --since 7d --rules draft.yaml': 'Tries a draft on the events of a week',
    'gantry rules replay --preset strict': 'What the strict guards would have stopped in 30 days',
  },
})

export const rulesSuggest = define({
  name: 'rules suggest',
  summary: 'Propose rules from what you approved and denied',
  options: {
    since: { ...since, default: '30d' },
    least: { kind: 'count', default: 3, help: 'Propose what you answered the same way at least so often' },
    json,
  },
  examples: {
    'gantry rules suggest': 'Prints rules as YAML, each with what it would have done',
    'gantry rules suggest --since 90d > draft.yaml': 'For "gantry rules replay --rules draft.yaml"',
  },
})

export const guards = define({
  name: 'guards',
  summary: 'List the built-in guards, their modes, and how often they spoke',
  shows: 'config',
  options: { all: flag('Also list guards that are off because the preset is', 'a'), json },
  examples: { 'gantry guards': 'One line for each: id, mode, hits, what it protects from' },
})

export const guardsPreset = define({
  name: 'guards preset',
  summary: 'Choose how strict the guards are',
  args: [
    {
      name: 'preset',
      kind: 'choice',
      choices: PRESETS,
      required: true,
      missing: 'Say which: off, watch, standard or strict.',
    },
  ],
  examples: {
    'gantry guards preset standard': 'Catastrophes are denied, risks are asked',
    'gantry guards preset watch': 'Nothing is held up; "gantry guards" shows what would have been',
  },
})

export const guardsSet = define({
  name: 'guards set',
  summary: 'Set the mode of one guard, whatever the preset says',
  args: [
    {
      name: 'id',
      kind: 'guard',
      required: true,
      missing: 'Say id and mode: gantry guards set git-discard deny.',
    },
    {
      name: 'mode',
      kind: 'choice',
      choices: ['off', 'watch', 'ask', 'deny'],
      required: true,
      missing: 'Say the mode: off, watch, ask or deny.',
    },
  ],
  examples: { 'gantry guards set git-discard deny': 'Written to gantry.toml; the daemon applies it at once' },
})

export const budgets = define({
  name: 'budgets',
  summary: 'List the budgets, and what was used of each',
  shows: 'config',
  options: { json: jsonList },
  examples: { 'gantry budgets': 'One line for each cap: bar, percent, used and limit, and whose it is' },
})

export const budgetsRaise = define({
  name: 'budgets raise',
  summary: 'Raise a budget until its session, effort, project or day is over',
  args: [
    { name: 'id', kind: 'text', required: true, missing: 'Say which: "gantry budgets" lists them.' },
    { name: 'which', kind: 'text', value: 'session|effort|project|day' },
  ],
  options: {
    by: { kind: 'number', help: 'By how much, in the units of the cap (default: as much again)' },
    cap: { kind: 'choice', choices: CAP_NAMES, help: 'Which cap, where the budget has more than one' },
    json,
  },
  examples: {
    'gantry budgets raise night': 'Gives the session that used it up as much again',
    'gantry budgets raise night brave-otter --by 5': 'Five dollars more for this session',
  },
})

export const handlers = define({
  name: 'handlers',
  summary: 'List the handlers: registered commands and warm handlers',
  options: { json: jsonList },
  examples: { 'gantry handlers': 'Lists them by priority, with runs, blocks, failures and durations' },
})

export const handlersNew = define({
  name: 'handlers new',
  summary: 'Write an example of a warm handler, with types for your editor',
  args: [
    { name: 'name', kind: 'text', required: true, missing: 'Give it a name: gantry handlers new no-push.' },
  ],
  examples: {
    'gantry handlers new no-push': 'Writes no-push.ts into the handlers folder; it is in force at once',
  },
})

export const handlersTest = define({
  name: 'handlers test',
  summary: 'Test the handlers of a file on an event, without the daemon',
  args: [
    { name: 'file', kind: 'file', required: true, missing: 'Name a file of handlers.' },
    { name: 'payload', kind: 'file', value: 'event.json' },
  ],
  options: {
    agent: payloadAgent,
    json,
  },
  examples: {
    'gantry handlers test no-push.ts':
      'Loads it and lists its handlers; exit 1 with file and line of a mistake',
    'gantry handlers test no-push.ts event.json':
      'Prints what each handler says to the payload of a hook; "-" reads stdin',
  },
})

export const commands: readonly Command[] = [
  command(approvals, () => import('./approvals.ts')),
  command(approve, () => import('./approve.ts'), 'approve'),
  command(deny, () => import('./approve.ts'), 'deny'),
  command(rules, () => import('./rules.ts')),
  command(rulesCheck, () => import('./rules.ts'), 'check'),
  command(rulesTest, () => import('./rules-test.ts')),
  command(rulesWhy, () => import('./rehearse.ts'), 'why'),
  command(rulesReplay, () => import('./rehearse.ts'), 'replay'),
  command(rulesSuggest, () => import('./rehearse.ts'), 'suggest'),
  command(rulesScore, () => import('./rules-score.ts')),
  command(rulesSchema, () => import('./rules.ts'), 'schema'),
  command(rulesTrust, () => import('./rules-trust.ts'), 'trust'),
  command(rulesUntrust, () => import('./rules-trust.ts'), 'untrust'),
  command(guards, () => import('./guards.ts')),
  command(guardsPreset, () => import('./guards.ts'), 'preset'),
  command(guardsSet, () => import('./guards.ts'), 'set'),
  command(budgets, () => import('./budgets.ts')),
  command(budgetsRaise, () => import('./budgets.ts'), 'raise'),
  command(handlers, () => import('./handlers.ts')),
  command(handlersNew, () => import('./handler-files.ts'), 'writeNew'),
  command(handlersTest, () => import('./handler-files.ts'), 'test'),
]

/** Commands about decisions: permissions that wait for a person, and the rules. */
import { type Command, command, define } from '../framework/define.ts'
import { json } from '../framework/options.ts'

export const approvals = define({
  name: 'approvals',
  summary: 'List permission requests that wait for your answer',
  shows: 'config',
  args: [{ name: 'approval', kind: 'approval' }],
  options: {
    follow: { kind: 'flag', short: 'f', help: 'Stay, and print new requests and their outcome' },
    json: { kind: 'flag', help: 'Print an object; with --follow, one message per line' },
  },
  examples: [
    { line: 'gantry approvals', does: 'Lists each with the id to approve or deny it by' },
    { line: 'gantry approvals riko7', does: "Shows one of them with the tool's whole input" },
    { line: 'gantry approvals --follow', does: 'For a terminal beside your agents' },
  ],
})

const missing = 'Say which one, by its id or by its session: "gantry approvals" lists them.'
const answered = { kind: 'flag', help: 'Print the answer as JSON' } as const

export const approve = define({
  name: 'approve',
  summary: 'Approve a permission request; without an id, list them',
  args: [{ name: 'approval', kind: 'approval', value: 'approval|session' }],
  options: {
    message: { kind: 'text', short: 'm', help: 'Store this with the answer; the agent does not get it' },
    json: answered,
  },
  examples: [
    { line: 'gantry approve riko7', does: 'The tool runs, and the prompt in its terminal closes' },
    { line: 'gantry approve brave-otter', does: 'By session name, if only one of its requests waits' },
    { line: 'gantry approve', does: 'Lists what waits, with ids' },
  ],
})

export const deny = define({
  name: 'deny',
  summary: 'Deny a permission request, with a reason',
  args: [{ name: 'approval', kind: 'approval', value: 'approval|session', required: true, missing }],
  options: { message: { kind: 'text', short: 'm', help: 'Tell the model this reason' }, json: answered },
  examples: [
    { line: 'gantry deny riko7', does: 'The tool does not run; the model is told that a person denied it' },
    {
      line: 'gantry deny riko7 --message "Use the staging database."',
      does: 'Tells the model what to do instead',
    },
  ],
})

export const rules = define({
  name: 'rules',
  summary: 'List, check and test the rules that decide on hooks',
  shows: 'rules',
  args: [
    { name: 'action', kind: 'choice', choices: ['list', 'check', 'test'] },
    { name: 'payload', kind: 'file', value: 'payload.json' },
  ],
  options: {
    agent: { kind: 'agent', default: 'claude', help: 'With test: whose payload it is' },
    json,
  },
  examples: [
    { line: 'gantry rules list', does: 'Lists the rules in force, by priority' },
    {
      line: 'gantry rules check',
      does: 'Prints file, line and key of every mistake, also without the daemon; exit 1 if there is one',
    },
    {
      line: 'gantry rules test payload.json',
      does: 'Prints the verdict on a payload, and the reply to the agent',
    },
  ],
})

const answer = () => import('./approve.ts')
export const commands: readonly Command[] = [
  command(approvals, () => import('./approvals.ts')),
  command(approve, async () => ({ run: (await answer()).approve })),
  command(deny, async () => ({ run: (await answer()).deny })),
  command(rules, () => import('./rules.ts')),
]

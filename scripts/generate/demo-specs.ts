/**
 * Which recordings `gantry demo` plays, and with which texts. They were made with scripted models, so prompts, commands
 * and answers are replaced by realistic ones. Everything else is as the agents sent it.
 */
export interface DemoSpec {
  readonly scenario: string
  readonly fixture: string
  /** Only the first session of the recording. */
  readonly first?: true
  /** Native events to leave out: they change nothing visible. */
  readonly without?: readonly string[]
  readonly told: readonly (readonly [string, string])[]
  /** Used share of the context, one after each prompt and each end of a turn. */
  readonly context: readonly number[]
}

const CLAUDE_NOISE = ['InstructionsLoaded', 'MessageDisplay', 'PostToolBatch']
const GEMINI_NOISE = ['BeforeModel', 'AfterModel', 'BeforeToolSelection', 'PreCompress']

export const DEMO_SPECS: readonly DemoSpec[] = [
  {
    scenario: 'claude-permission',
    fixture: 'claude/2.1.325/i-basic.jsonl',
    first: true,
    without: CLAUDE_NOISE,
    told: [
      ['hello [[s:a]]', 'Run the tests and fix what fails'],
      ['touch perm1; echo done', 'npm test'],
      ['finished a', 'All 42 tests pass: the date parser was off by a day.'],
      ['more [[s:b]]', 'Write down what was wrong'],
      ['/home/dev/acme/n.txt', '/home/dev/acme/docs/notes.md'],
    ],
    context: [31, 38, 44],
  },
  {
    scenario: 'claude-question',
    fixture: 'claude/2.1.325/i-ask.jsonl',
    without: CLAUDE_NOISE,
    told: [
      ['ask [[s:a]]', 'Give the new button a colour'],
      ['thanks', 'The button is red now, in both themes.'],
    ],
    context: [12, 14],
  },
  {
    scenario: 'claude-subagent',
    fixture: 'claude/2.1.325/subagent-sync.jsonl',
    without: CLAUDE_NOISE,
    told: [
      ['go [[s:m]]', 'Review the upload module'],
      ['review it [[s:r]]', 'Look for bugs in src/upload.ts'],
      ['echo in-sub', 'grep -n retry src/upload.ts'],
      ['false', 'npm run lint'],
      ['sleep 1', 'git diff --stat'],
      ['ok', 'One bug: a failed upload is tried again for ever.'],
    ],
    context: [57, 63],
  },
  {
    scenario: 'claude-compact',
    fixture: 'claude/2.1.325/compact.jsonl',
    without: [...CLAUDE_NOISE, 'SubagentStop'],
    told: [
      ['first [[s:one]]', 'Port the importer to streams'],
      ['go on [[s:two]]', 'Go on with the writer'],
      ['first answer', 'The reader is ported; the writer is next.'],
      ['after compact', 'The writer is ported, too.'],
    ],
    context: [86, 94, 9, 17],
  },
  {
    scenario: 'claude-mcp',
    fixture: 'claude/2.1.325/i-elicit.jsonl',
    without: CLAUDE_NOISE,
    told: [
      ['run [[s:a]]', 'Ask the deploy server for its state'],
      ['What is your name?', 'Which environment?'],
      ['finished', 'It runs version 2.4, since Tuesday.'],
    ],
    context: [22, 24],
  },
  {
    scenario: 'codex-subagent',
    fixture: 'codex/0.166.0/subagent.jsonl',
    told: [
      ['go now', 'Find out why the nightly build is slow'],
      ['SUBTASK please', 'Time each step of the build'],
      ['echo in-subagent', 'time make -j8'],
      ['Finished.', 'Linking takes 40 of the 55 minutes.'],
    ],
    context: [35, 48],
  },
  {
    scenario: 'codex-patch',
    fixture: 'codex/0.166.0/apply-patch.jsonl',
    told: [
      ['go now', 'Add a line to the notes'],
      ['Finished.', 'The line is in hello.txt.'],
    ],
    context: [18, 21],
  },
  {
    scenario: 'gemini-tools',
    fixture: 'gemini/0.61.0/basic.jsonl',
    without: GEMINI_NOISE,
    told: [
      ['Read hello.txt, write out.txt and run a command', 'Sum hello.txt up in out.txt and check it'],
      ['echo shell-ran && cat hello.txt', 'wc -w hello.txt out.txt'],
      ['Reading. \nAll finished. finished.', 'out.txt has it in twelve words.'],
    ],
    context: [6, 8],
  },
  {
    scenario: 'copilot-tools',
    fixture: 'copilot/1.0.102/copilot-basic.jsonl',
    without: ['userPromptTransformed'],
    told: [
      ['go now', 'Say in new.txt what changed this week'],
      ['echo hi from copilot', 'git log --oneline --since=1.week'],
      ['exit 3', 'git status --short'],
    ],
    context: [],
  },
  {
    scenario: 'copilot-subagent',
    fixture: 'copilot/1.0.102/copilot-subagent.jsonl',
    without: ['userPromptTransformed'],
    told: [
      ['go now', 'Have somebody run the unit tests'],
      ['SUBTASK please', 'Run the unit tests'],
      ['echo in-sub', 'npm test -- --silent'],
    ],
    context: [],
  },
  {
    scenario: 'opencode-permission',
    fixture: 'opencode/1.18.33/opencode-permission.jsonl',
    without: [
      'plugin.init',
      'dispose',
      'chat.params',
      'chat.headers',
      'tool.definition',
      'experimental.chat.system.transform',
      'experimental.chat.messages.transform',
      'event:plugin.added',
      'event:catalog.updated',
      'event:reference.updated',
      'event:integration.updated',
      'event:session.updated',
      'event:session.status',
      'event:session.diff',
      'event:message.updated',
    ],
    told: [
      ['"go now"', 'Delete branches that were merged'],
      ['touch DENIED_RAN', 'git branch -D old-feature'],
    ],
    context: [29, 33],
  },
]

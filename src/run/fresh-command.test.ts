/** Command lines of agents, and what a fresh start makes of them. */
import { describe, expect, test } from 'bun:test'
import { freshCommand } from './fresh-command.ts'

const ON = 'Go on.'
const SESSION = '4f1c9a52-8a5b-4c1e-9f0e-2f6f7f1f1a11'

/** As a shell would split it, without quotes. */
const split = (line: string) => line.split(' ').filter(Boolean)
const fresh = async (line: string, as?: string) => (await freshCommand(split(line), ON, as))?.argv

describe('claude', () => {
  test.each([
    ['claude', []],
    ['claude --continue', []],
    ['claude -c', []],
    [`claude --resume ${SESSION}`, []],
    [`claude --resume=${SESSION}`, []],
    [`claude -r ${SESSION} --fork-session`, []],
    [`claude -r${SESSION}`, []],
    ['claude -r', []],
    ['claude --from-pr 12', []],
    [`claude --session-id ${SESSION}`, []],
    ['claude --teleport', []],
    ['claude fix-it', []],
    ['claude -- --fix-it', []],
    ['claude --model opus fix-it', ['--model', 'opus']],
    ['claude fix-it --model=opus', ['--model=opus']],
    ['claude -p fix-it --output-format json', ['-p', '--output-format', 'json']],
    ['claude -cp fix-it', ['-p']],
    ['claude --allowedTools Bash Edit --verbose fix-it', ['--allowedTools', 'Bash', 'Edit', '--verbose']],
    ['claude --add-dir ../a ../b -c', ['--add-dir', '../a', '../b']],
    ['claude -n release -w tree --debug hooks', ['-n', 'release', '-w', 'tree', '--debug', 'hooks']],
    ['claude --dangerously-skip-permissions fix-it', ['--dangerously-skip-permissions']],
    ['claude --some-day 7 --verbose', ['--some-day', '7', '--verbose']],
  ])('%s', async (line, kept) => {
    expect(await fresh(line)).toEqual(['claude', ON, ...kept])
  })

  test('an empty value is a value', async () => {
    expect((await freshCommand(['claude', '--tools', '', '--model', 'opus'], ON))?.argv).toEqual([
      'claude',
      ON,
      '--tools',
      '',
      '--model',
      'opus',
    ])
  })

  test.each([
    ['claude -p hello', true],
    ['claude --print', true],
    ['claude hello', false],
    ['claude --model -p', false], // the name of a model, if a strange one
  ])('%s: does it end by itself?', async (line, headless) => {
    expect((await freshCommand(split(line), ON))?.headless).toBe(headless)
  })

  test.each([
    'claude mcp list',
    'claude --model opus doctor',
    'claude --bg fix-it',
    'claude --cloud fix-it',
    'claude -p --input-format stream-json',
    'claude --input-format=stream-json -p',
    'claude --worktree',
    'claude -w --tmux',
  ])('%s is not started again', async (line) => {
    expect(await fresh(line)).toBeUndefined()
  })
})

describe('codex', () => {
  test.each([
    ['codex', ['codex', ON]],
    ['codex fix-it', ['codex', ON]],
    ['codex resume', ['codex', ON]],
    [`codex resume ${SESSION} fix-it`, ['codex', ON]],
    ['codex resume --last --all -m gpt', ['codex', ON, '-m', 'gpt']],
    ['codex --no-daemon fork --last', ['codex', ON, '--no-daemon']],
    ['codex -i a.png b.png -s read-only', ['codex', ON, '-s', 'read-only']],
    ['codex -c model="o3" -mgpt fix-it', ['codex', ON, '-c', 'model="o3"', '-mgpt']],
    ['codex exec --json fix-it', ['codex', 'exec', ON, '--json']],
    ['codex e -', ['codex', 'e', ON]],
    [`codex exec resume ${SESSION} -o out.txt fix-it`, ['codex', 'exec', ON, '-o', 'out.txt']],
    ['codex exec resume --last', ['codex', 'exec', ON]],
  ])('%s', async (line, argv) => {
    expect(await fresh(line)).toEqual(argv)
  })

  test('exec ends by itself', async () => {
    expect((await freshCommand(split('codex exec x'), ON))?.headless).toBe(true)
    expect((await freshCommand(split('codex x'), ON))?.headless).toBe(false)
  })

  test.each([
    'codex login',
    'codex exec review',
    'codex mcp add x',
    'codex --worktree x',
    'codex --remote unix://',
  ])('%s is not started again', async (line) => {
    expect(await fresh(line)).toBeUndefined()
  })
})

describe('others', () => {
  test('an agent is recognized by path, too', async () => {
    expect(await fresh('/opt/bin/claude -c')).toEqual(['/opt/bin/claude', ON])
    expect(await fresh('./codex.js resume --last')).toEqual(['./codex.js', ON])
  })

  test('a script of another name is restarted unchanged, unless --as names its agent', async () => {
    expect(await fresh('my-agent --continue it')).toEqual(['my-agent', '--continue', 'it'])
    expect(await fresh('my-agent --continue it', 'claude')).toEqual(['my-agent', ON])
  })

  test('Gemini is not restarted: it clears its context in place', async () => {
    expect(await fresh('gemini -p hello')).toBeUndefined()
  })
})

/** The pages for those who come from shell hooks, a monitor, a safety net or clooks: every command on them works. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  envFor,
  GANTRY,
  makeHome,
  ROOT,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
} from '../kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

/** Page → what its commands must have said, among other things. */
const PAGES = {
  'shell-hooks': [
    'no-main is asked about PreToolUse',
    /no-main .*Push to a branch/s,
    'no-main is not asked any more',
    'PreToolUse',
  ],
  'claude-code-agent-monitor': ['claude', 'PreToolUse', 'Bash', 'deploy', '"pid"'],
  'cc-safety-net': ['guard:git-discard', 'guard:delete-system', 'by": "no-global-installs"'],
  clooks: ['log-prompt is asked about UserPromptSubmit', 'no-main.ts', 'no-main denies'],
} as const

const COMMON = { session_id: 's1', cwd: '/w', tool_name: 'Bash', tool_input: { command: 'make deploy' } }
const HOOKS = [
  { ...COMMON, hook_event_name: 'UserPromptSubmit', prompt: 'deploy it' },
  { ...COMMON, hook_event_name: 'PreToolUse' },
  { ...COMMON, hook_event_name: 'Stop' },
]

let helped: string | undefined
function help(): string {
  helped ??= Bun.spawnSync([GANTRY, '--help'], { env: envFor(makeHome()) }).stdout.toString()
  return helped
}

describe.each(Object.entries(PAGES))('%s', (name, said) => {
  const at = makeHome()
  const dir = tempDir()
  const file = join('docs/coming-from', `${name}.md`)
  const page = readFileSync(join(ROOT, file), 'utf8')
  let daemon: RunningDaemon

  beforeAll(async () => {
    mkdirSync(join(dir, 'bin'))
    symlinkSync(GANTRY, join(dir, 'bin/gantry'))
    daemon = await startDaemon(at)
    for (const hook of HOOKS) await sendFrame(at, { payload: JSON.stringify(hook) })
  })
  afterAll(async () => void (await daemon.kill('SIGTERM')))

  test('every command works, and says what the page promises', () => {
    for (const [, path = '', text = ''] of page.matchAll(/<!-- file: (\S+) -->\n```\w*\n([\s\S]*?)```/g))
      writeFileSync(join(dir, path), text)
    const lines = [...page.matchAll(/<!-- run -->\n```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
      block.trimEnd().split('\n'),
    )
    expect(lines.length).toBeGreaterThan(4)
    const env = envFor(at)
    let all = ''
    for (const line of lines) {
      const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', line], {
        cwd: dir,
        env: { ...env, PATH: `${join(dir, 'bin')}:${env.PATH ?? process.env.PATH}` },
      })
      expect(exitCode, `${line}\n${stdout}${stderr}`).toBe(0)
      all += stdout.toString()
    }
    for (const words of said) expect(all).toMatch(words)
  })

  test('every command that stands in its text or tables is one of gantry', () => {
    const known = help()
    for (const [, command = ''] of page.matchAll(/`gantry ([a-z]+)(?: [^`]*)?`/g))
      expect(known, command).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
  })

  test('every link leads somewhere', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(existsSync(join(ROOT, dirname(file), target)), target).toBe(true)
  })
})

/**
 * Everything that gantry may answer, in one conversation: a guard, rules and a warm handler each say their part, and what counts
 * is what happened afterwards: files, the other repository, what the model was told. `gantry rules why` names the same author.
 */
import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionView, WireEvent } from '../../src/client/index.ts'
import { expectClean } from './expect.ts'
import type { ToolCall } from './mock/model.ts'
import { gantry, type Run, readSettings, type Stage, settled } from './stage.ts'

export interface Obedience {
  /** A call of the tool that runs commands. */
  shell(command: string): ToolCall
  readonly args: readonly string[]
  /** Its headless run goes on after an `ask`, and the model is told these words. Absent where only a terminal can ask. */
  readonly askedHeadless?: RegExp
  /** Its own name of PreToolUse. */
  readonly before: string
}

const HANDLERS = `import { context, deny, handler, pass } from 'gantry/sdk'

export default [
  handler({ on: 'PreToolUse', name: 'warm-no' }, ({ commands }) =>
    commands.some(({ argv }) => argv.some(({ text }) => text === 'by-handler')) ? deny('the warm handler says no') : pass(),
  ),
  handler({ on: 'UserPromptSubmit', name: 'warm-hint' }, ({ cwd = '' }) =>
    cwd.endsWith('/obey') ? context('context-from-the-handler') : pass(),
  ),
]
`

/** Before the daemon starts. */
export function prepareObedience({ places }: Stage): void {
  const before = readFileSync(places.configFile, 'utf8')
  writeFileSync(places.configFile, `${before}[guards]\npreset = "standard"\n`)
  mkdirSync(places.rules, { recursive: true })
  copyFileSync(join(import.meta.dir, 'obeys.yaml'), join(places.rules, 'obeys.yaml'))
  mkdirSync(join(places.config, 'handlers'), { recursive: true })
  writeFileSync(join(places.config, 'handlers/warm.ts'), HANDLERS)
}

export function testObedience({ shell, args, askedHeadless, before }: Obedience, stage: () => Stage): void {
  describe('obeys', () => {
    test('a guard, rules and a warm handler in one conversation, and each is known by name', async () => {
      await settled(
        () => gantry(stage(), 'handlers'),
        (listed) => listed.includes('ready'),
      )
      const remote = remoteOf(stage(), 'obey')
      const pushed = remote.head()
      const asks = askedHeadless === undefined ? [] : [shell('touch asked')]
      const calls = [
        shell('G=git; $G push -f origin HEAD:main'),
        shell('touch by-rule'),
        shell('touch by-handler'),
        shell('touch original'),
        ...asks,
      ]
      const turns = [...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]
      const run = await stage().ask('obey', turns, { args })
      expect(run.exit, run.stderr).toBe(0)
      expectClean(run.events, stage().driver)
      expect(run.seen).toHaveLength(turns.length)
      const told = (calls: number) => run.seen[calls]?.text ?? '' // in the request after so many calls
      const isThere = (file: string) => existsSync(join(run.project, file))

      expect(told(0)).toContain('context-from-the-handler')
      expect(remote.head()).toBe(pushed)
      expect(told(1)).toContain('guard git-force-push')
      expect(isThere('by-rule')).toBe(false)
      expect(told(2)).toContain('a rule says no to this one')
      expect(isThere('by-handler')).toBe(false)
      expect(told(3)).toContain('the warm handler says no')
      expect(isThere('original')).toBe(false)
      expect(readFileSync(join(run.project, 'rewritten'), 'utf8')).toBe('rewritten\n')
      if (askedHeadless) {
        expect(isThere('asked')).toBe(false)
        expect(told(5)).toMatch(askedHeadless)
      }

      const deciders = ['guard:git-force-push', 'obey-deny', 'handler:warm-no', 'obey-rewrite']
      const asked = run.events.filter(({ type }) => type === 'PreToolUse')
      expect(await Promise.all(asked.map((event) => authorOf(stage(), event)))).toEqual([
        ...deciders,
        ...asks.map(() => 'obey-ask'),
      ])
      await expectShown(stage(), run, ['guard:git-force-push', 'obey-deny', 'handler:warm-no'])
    })

    test('a required hook with the daemon down blocks, and says why', async () => {
      const untouched = readSettings(stage())
      requireHook(stage(), before)
      await gantry(stage(), 'down')
      try {
        const turns = [{ calls: [shell('touch ran')] }, { text: 'All right.' }]
        const run = await stage().ask('required', turns, { args, journal: false })
        expect(run.exit, run.stderr).toBe(0)
        expect(existsSync(join(run.project, 'ran'))).toBe(false)
        expect(run.seen).toHaveLength(2)
        expect(run.seen[1]?.text).toMatch(
          /gantry: no decision .*This hook is required, so the action is blocked/,
        )
      } finally {
        restore(stage(), untouched)
        await gantry(stage(), 'up')
      }
    })
  })
}

/** Who was the author of the answer, by `rules why`. Rules and guards would say the same today. */
async function authorOf(stage: Stage, event: WireEvent): Promise<string | undefined> {
  const { answered, verdict } = JSON.parse(await gantry(stage, 'rules', 'why', event.id, '--json')) as {
    answered?: { by?: string } | null
    verdict: { by?: string }
  }
  const by = answered?.by
  if (by === undefined || !by.startsWith('handler:')) expect(verdict.by).toBe(by as string)
  return by
}

/** Each denial is where a person looks. */
async function expectShown(stage: Stage, run: Run, deniers: readonly string[]): Promise<void> {
  const id = run.events[0]?.sessionId ?? ''
  const { denials = 0, timeline } = JSON.parse(
    await gantry(stage, 'session', id, '--timeline', '--json'),
  ) as SessionView & { timeline: { text: string }[] }
  expect(denials).toBeGreaterThanOrEqual(deniers.length)
  const events = await gantry(stage, 'events', '--session', id, '--limit', '100')
  for (const by of deniers) {
    expect(timeline.filter(({ text }) => text.includes(`→ denied by ${by}: `))).toHaveLength(1)
    expect(events).toContain(`denied by ${by}: `)
  }
}

/** A repository whose history differs from its remote's, so that only a force push gets through. */
function remoteOf(stage: Stage, scenario: string): { head(): string } {
  const project = stage.project(scenario)
  const bare = join(stage.home, `${scenario}.git`)
  const who = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com']
  const git = (...args: string[]) => {
    const { success, stdout, stderr } = Bun.spawnSync(['git', ...who, ...args], {
      cwd: project,
      env: { ...stage.env },
    })
    if (!success) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`)
    return stdout.toString().trim()
  }
  git('init', '-q', '--bare', bare)
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  git('remote', 'add', 'origin', bare)
  git('push', '-q', 'origin', 'HEAD:main')
  git('commit', '-q', '--amend', '--allow-empty', '-m', 'another history')
  return { head: () => git('--git-dir', bare, 'rev-parse', 'main') }
}

/** As docs/hooks.md says: `--required` before the name of the agent, in a shell command or a list of arguments. */
function requireHook({ driver, home }: Stage, before: string): void {
  const { agent } = driver.release
  const required = (text: string) =>
    text
      .replaceAll(new RegExp(` ${agent} ${before}\\b`, 'g'), ` --required ${agent} ${before}`)
      .replaceAll(`"${agent}", "${before}"`, `"--required", "${agent}", "${before}"`)
  const files = driver.settings.map((path) => join(home, path)).filter((path) => existsSync(path))
  const changed = files.filter((path) => {
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, required(text))
    return required(text) !== text
  })
  expect(changed).toHaveLength(1)
}

function restore({ home }: Stage, settings: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(settings))
    if (text !== undefined) writeFileSync(join(home, path), text)
}

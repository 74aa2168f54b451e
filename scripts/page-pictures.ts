/**
 * bun scripts/page-pictures.ts <folder> [view …]: pictures of every view of the page, or of some, in both themes and three
 * widths, to look at: with the demo's sessions, those of the tests, and one that changed code and was denied something.
 * `--docs` writes the two of the documentation.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../src/client/index.ts'
import { hold, permission, waiting } from '../test/daemon/approval-kit.ts'
import { makeHome, sendFrame, startDaemon, tempDir, until } from '../test/kit.ts'
import { startBrowser } from '../test/page/kit.ts'
import { makeWorld } from '../test/tui/world.ts'

const WORKED_MS = 28 * 60_000 // as long as a strip is
const PLAYED_MS = 45_000 // of the demo, until several sessions have worked, asked and changed files
const WIDTHS = [375, 1280, 3840]
const HEIGHTS: Readonly<Record<number, number>> = { 375: 812, 1280: 800, 3840: 2160 }
const READ = `!/Loading…|Reading the journal…|Connecting…/.test(document.body.innerText) &&
  ![...document.querySelectorAll('.figures dd')].some((one) => one.innerText === '…')`
const RULE = `rules:
  - { id: no-force-push, on: PreToolUse, match: { tool.input.command: 'push --force' }, then: { deny: 'Not on main.' } }
`
const BEFORE = `export async function search(words: string) {
  // every row is read
  const rows = await all()
  return rows.filter((row) => row.text.includes(words))
}
`
const isDocs = process.argv.includes('--docs')
const [named, ...only] = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const folder = isDocs ? join(import.meta.dir, '../docs/pictures') : named
if (folder === undefined) {
  console.error('Name a folder for the pictures: bun scripts/page-pictures.ts pictures')
  process.exit(2)
}

mkdirSync(folder, { recursive: true })
const at = makeHome()
mkdirSync(at.rules, { recursive: true })
writeFileSync(join(at.rules, 'a.yaml'), RULE)
await using _daemon = await startDaemon(at)
await using browser = await startBrowser()
if (!isDocs) await call(at, 'demo.start') // before any other session
const played = Bun.sleep(isDocs ? 0 : PLAYED_MS)
await makeWorld(at)
await work()
await played
const held = hold(at, permission('npm run migrate -- --env production', 'deploy'))
await waiting(at)
const session = '/session/claude%3Aatlas'
const all: Record<string, string> = {
  ...{ fleet: '/', session, changes: `${session}?tab=changes`, events: `${session}?tab=events` },
  ...{ journal: '/journal', insights: '/insights', rules: '/rules', draft: '/rules/draft' },
  ...{ schema: '/schema', bus: '/bus', doctor: '/doctor' },
}
for (const [name, to] of Object.entries(all))
  for (const dark of [false, true])
    for (const width of isDocs ? [1280] : WIDTHS) {
      if (isDocs && (dark !== (name === 'session') || !['fleet', 'session'].includes(name))) continue
      if (only.length > 0 && !only.includes(name)) continue
      const { page, context } = await browser.open(at, { to, width, height: HEIGHTS[width] ?? 800, dark })
      await until(() => page.evaluate<boolean>(READ), `all of ${name}`, 30_000)
      await Bun.sleep(1_200)
      const file = isDocs ? `${name}.png` : `${name}-${width}-${dark ? 'dark' : 'light'}.png`
      await page.screenshot({ path: join(folder, file) })
      await context.close()
    }

held.kill()
await held.reply
process.kill(held.pid, 'SIGKILL') // its agent lives on

/** A session of ours over the last half hour, in a folder of its own; what is denied is denied now. */
async function work(): Promise<void> {
  const cwd = join(tempDir(), 'atlas')
  mkdirSync(join(cwd, 'src'), { recursive: true })
  const file = join(cwd, 'src/search.ts')
  const after = BEFORE.replace('// every row is read', '// the index knows them')
    .replace('all()', 'index.match(words, { limit: 200 })')
    .replace('rows.filter((row) => row.text.includes(words))', 'rows.map(({ id, text }) => ({ id, text }))')
  const notes = '# Search\n\nWords are looked up in the index; at most 200 rows come back.\n'
  writeFileSync(file, after)
  writeFileSync(join(cwd, 'search.md'), notes)
  let time = Date.now() - WORKED_MS
  const say = async (event: string, more: object = {}, seconds = 0) => {
    time = Math.min(time + seconds * 1_000, Date.now())
    await sendFrame(at, {
      ...{ event, at: time },
      payload: JSON.stringify({ hook_event_name: event, session_id: 'atlas', cwd, ...more }),
    })
  }
  let calls = 0
  const tool = async (name: string, input: object, seconds: number, response: object = {}) => {
    const one = { tool_name: name, tool_use_id: `call${++calls}`, tool_input: input }
    await say('PreToolUse', one, 4)
    await say('PostToolUse', { ...one, tool_response: response }, seconds)
  }
  const usage = (pct: number, usd: number) =>
    say('statusLine', {
      ...{ model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' }, version: '2.1.325' },
      ...{ cost: { total_cost_usd: usd } },
      context_window: { context_window_size: 200_000, used_percentage: pct },
    })
  await say('SessionStart', { source: 'startup', model: 'claude-opus-5-5' })
  await say('UserPromptSubmit', { prompt: 'Make search use the index, and run the tests' }, 20)
  await tool('Grep', { pattern: 'includes\\(words', path: 'src' }, 12)
  await tool('Read', { file_path: file }, 3)
  await usage(22, 0.41)
  await say('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }, 20)
  await say('SubagentStop', { agent_id: 'a1', agent_type: 'Explore' }, 150)
  await tool('Edit', { file_path: file, old_string: BEFORE, new_string: after }, 8, {
    ...{ filePath: file, oldString: BEFORE, newString: after, originalFile: BEFORE },
  })
  await tool('Bash', { command: 'npm test -- src/search' }, 190)
  const asked = { tool_name: 'Bash', tool_input: { command: 'npm run bench -- --write' } }
  await say('PreToolUse', { ...asked, tool_use_id: 'asked' }, 5)
  await say('PermissionRequest', asked)
  await say('PostToolUse', { ...asked, tool_use_id: 'asked', tool_response: {} }, 200)
  await usage(71, 1.36)
  await say('Stop', { last_assistant_message: 'Search asks the index now: 40 ms instead of 2 s.' }, 20)
  await say('UserPromptSubmit', { prompt: 'Write it down, and push it' }, 240)
  await tool('Write', { file_path: join(cwd, 'search.md'), content: notes }, 9, {
    ...{ type: 'create', filePath: join(cwd, 'search.md') },
  })
  await say('PreCompact', { trigger: 'auto', custom_instructions: '' }, 60)
  await say('PostCompact', { trigger: 'auto' }, 55)
  await usage(18, 2.07)
  await tool('Bash', { command: 'npm test' }, 300)
  time = Date.now()
  const push = { tool_name: 'Bash', tool_input: { command: 'git push --force origin main' } }
  await say('PreToolUse', { ...push, tool_use_id: 'denied' })
  await Bun.sleep(2_000)
  time = Date.now()
  await tool('Bash', { command: 'git push origin search-index' }, 0)
  await say('Stop', {
    last_assistant_message: 'The branch is pushed. main takes no force, so I opened one of its own.',
  })
}

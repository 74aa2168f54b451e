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
const [named = 'pictures', ...only] = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const folder = isDocs ? join(import.meta.dir, '../docs/pictures') : named

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

/** A session of ours, in a folder of its own. */
async function work(): Promise<void> {
  const cwd = join(tempDir(), 'atlas')
  mkdirSync(join(cwd, 'src'), { recursive: true })
  const file = join(cwd, 'src/search.ts')
  const after = BEFORE.replace('// every row is read', '// the index knows them')
    .replace('all()', 'index.match(words, { limit: 200 })')
    .replace('rows.filter((row) => row.text.includes(words))', 'rows.map(({ id, text }) => ({ id, text }))')
  writeFileSync(file, after)
  const say = (event: string, more: object = {}) =>
    sendFrame(at, {
      event,
      payload: JSON.stringify({ hook_event_name: event, session_id: 'atlas', cwd, ...more }),
    })
  let calls = 0
  const tool = async (name: string, input: object, response: object = {}, ms = 400) => {
    const one = { tool_name: name, tool_use_id: `call${++calls}`, tool_input: input }
    await say('PreToolUse', one)
    await Bun.sleep(ms)
    await say('PostToolUse', { ...one, tool_response: response })
  }
  await say('SessionStart', { source: 'startup', model: 'claude-opus-5-5' })
  await say('UserPromptSubmit', { prompt: 'Make search use the index, and run the tests' })
  await tool('Grep', { pattern: 'includes\\(words', path: 'src' }, {}, 1_200)
  await tool('Read', { file_path: file }, {}, 300)
  await tool(
    'Edit',
    { file_path: file, old_string: BEFORE, new_string: after },
    { filePath: file, oldString: BEFORE, newString: after, originalFile: BEFORE },
  )
  await tool('Bash', { command: 'npm test -- src/search' }, {}, 5_000)
  await say('PreToolUse', {
    ...{ tool_name: 'Bash', tool_use_id: 'denied' },
    tool_input: { command: 'git push --force origin main' },
  })
  await Bun.sleep(2_000)
  await tool('Bash', { command: 'git push origin search-index' }, {}, 1_500)
  await say('Stop', {
    last_assistant_message: 'Search asks the index now: 40 ms instead of 2 s. The branch is pushed.',
  })
}

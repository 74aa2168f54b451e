/** A session in a browser: where its time went, what it changed on the disk, what happened; and nothing of it is markup. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Places } from '../../src/core/files/paths.ts'
import { gantry, makeHome, type RunningDaemon, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { COLOURS, overflow, startBrowser, type TestBrowser, type TestPage, violationsOf } from './kit.ts'

const ID = '4f1c2b1e-0000-4000-8000-000000000001'
const EVIL = '<script>document.title="broken"</script>'
const PATH = `/session/${encodeURIComponent(`claude:${ID}`)}`

let at: Places
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage
let page: Page
let dir: string
let file: string
let clock = Date.now() - 600_000

/** Hooks of a session that began ten minutes ago. */
const say = (event: string, more: object = {}, afterMs = 1_000) => {
  clock += afterMs
  return sendFrame(at, {
    event,
    at: clock,
    payload: JSON.stringify({ hook_event_name: event, session_id: ID, cwd: dir, ...more }),
  })
}

let calls = 0
async function tool(
  name: string,
  input: object,
  more: { ms?: number; error?: string; response?: object } = {},
) {
  calls += 1
  const call = { tool_name: name, tool_use_id: `t${calls}`, tool_input: input }
  await say('PreToolUse', call)
  const end = more.error === undefined ? { tool_response: more.response ?? {} } : { error: more.error }
  await say(
    more.error === undefined ? 'PostToolUse' : 'PostToolUseFailure',
    { ...call, ...end },
    more.ms ?? 500,
  )
}

/** As the agent does it: on the disk, with the old text in its answer. */
async function edit(path: string, oldText: string, newText: string): Promise<void> {
  const originalFile = readFileSync(path, 'utf8')
  writeFileSync(path, originalFile.replace(oldText, newText))
  await tool(
    'Edit',
    { file_path: path, old_string: oldText, new_string: newText },
    {
      response: { filePath: path, oldString: oldText, newString: newText, originalFile, structuredPatch: [] },
    },
  )
}

beforeAll(async () => {
  at = makeHome()
  dir = join(tempDir(), 'atlas')
  mkdirSync(join(dir, 'src'), { recursive: true })
  file = join(dir, 'src/search.ts')
  const lines = Array.from({ length: 40 }, (_, n) => `// line ${n + 1}`)
  writeFileSync(file, `${lines.join('\n')}\nconst rows = like(text)\n`)
  ;[daemon, browser] = await Promise.all([startDaemon(at), startBrowser()])
  await say('SessionStart', { source: 'startup', model: 'claude-opus-5-5' })
  await say('UserPromptSubmit', { prompt: `make search faster ${EVIL}` })
  await tool('Bash', { command: 'npm test' }, { ms: 60_000 })
  await tool('Bash', { command: 'npm run bench' }, { ms: 5_000, error: 'exit code 1' })
  await edit(file, 'like(text)', `match(text, '${EVIL}')`)
  const asked = { tool_name: 'Bash', tool_input: { command: 'git push' } }
  await say('PreToolUse', { ...asked, tool_use_id: 'asked' })
  await say('PermissionRequest', asked)
  await say('PostToolUse', { ...asked, tool_use_id: 'asked', tool_response: {} }, 90_000)
  await say('Stop', { last_assistant_message: 'Done.' })
  await say('UserPromptSubmit', { prompt: 'write it down' }, 20_000)
  const evilPath = join(dir, `${EVIL.replaceAll('/', '∕')}.md`)
  writeFileSync(evilPath, `${EVIL}\n`)
  await tool(
    'Write',
    { file_path: evilPath, content: `${EVIL}\n` },
    { response: { type: 'create', filePath: evilPath } },
  )
  await tool(EVIL, { what: EVIL })
  await say('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
  await say(
    'SubagentStop',
    { agent_id: 'a1', agent_type: 'Explore', last_assistant_message: 'found' },
    30_000,
  )
  await say('Stop', { last_assistant_message: 'Written.' })
  opened = await browser.open(at, { to: PATH })
  page = opened.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

const lane = () => page.locator('.swimlane-box')
const seen = async () => {
  const [from, to] = await Promise.all([lane().getAttribute('data-from'), lane().getAttribute('data-to')])
  return { from: Number(from), to: Number(to), ms: Number(to) - Number(from) }
}
const show = async (tab: string) => {
  await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
  await page.locator(`#session-panel[data-tab=${tab.toLowerCase()}]`).waitFor()
}
const changed = (name: string) => page.locator('.file').filter({ has: page.locator('h3', { hasText: name }) })

describe('where the time went', () => {
  test('figures and lanes', async () => {
    await lane().waitFor()
    const figures = page.locator('.figures > div')
    await figures.filter({ hasText: 'Waited for you' }).getByText('1m 30s').waitFor()
    await figures.filter({ hasText: 'Tools' }).getByText('6, 1 failed').waitFor()
    const words = await page.locator('.swimlane canvas').getAttribute('aria-label')
    expect(words).toContain('Turns: 2, Waits for you: 1, Tools: 6, Explore: 1')
    expect(await violationsOf(page)).toEqual([])
  })

  test('keys zoom, pan and fit', async () => {
    const whole = await seen()
    expect(await lane().getAttribute('data-whole')).toBe('')
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await until(async () => (await seen()).ms < whole.ms * 0.6, 'a nearer view')
    const near = await seen()
    await page.keyboard.press('ArrowRight')
    await until(async () => (await seen()).from > near.from, 'a later part')
    expect(Math.abs((await seen()).ms - near.ms)).toBeLessThanOrEqual(1)
    expect(await lane().getAttribute('aria-label')).toMatch(
      /^Timeline from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d$/,
    )
    await page.keyboard.press('0')
    await until(async () => (await lane().getAttribute('data-whole')) === '', 'all of it')
  })

  test('the help names each key once: first those of the view, then those of every view', async () => {
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('zoom the timeline').waitFor()
    const keys = (await dialog.locator('kbd').allTextContents()).filter((key) => key !== 'esc')
    const single = keys.flatMap((key) => (key.includes('…') ? [] : key.split(' ')))
    expect(single.filter((key, at) => single.indexOf(key) !== at)).toEqual([])
    expect(keys.slice(-2)).toEqual(['?', '1 … 7'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('the wheel zooms where the pointer is, and a drag pans', async () => {
    const whole = await seen()
    const box = await lane().boundingBox()
    if (!box) throw new Error('no swimlane')
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await until(async () => (await seen()).ms < whole.ms, 'a nearer view')
    const near = await seen()
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 })
    await page.mouse.up()
    await until(async () => (await seen()).from > near.from, 'a later part')
    await page.getByRole('button', { name: 'Fit' }).click()
  })

  test('a selected span is told in words, kept in the address, and leads to its event', async () => {
    await page.keyboard.press('j')
    await page.locator('.readout').getByText('make search faster').waitFor()
    await lane().focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.readout').getByText('Waits for you').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('k')
    await page.locator('.readout').getByText('Tools').waitFor()
    expect(new URL(page.url()).searchParams.get('at')).toMatch(/^\d+$/)
    await page.keyboard.press('Enter')
    await page.locator('#session-panel[data-tab=events] .event-detail').waitFor()
    await show('Timeline')
  })

  test('the table says the same', async () => {
    await page.getByRole('button', { name: 'Table' }).click()
    const rows = page.locator('.span-table tbody tr')
    await rows.filter({ hasText: 'npm run bench' }).filter({ hasText: '✗' }).getByText('5.0s').waitFor()
    await rows.filter({ hasText: 'Waits for you' }).getByText('1m 30s').waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
  })

  test('it grows while the session works', async () => {
    const before = await seen()
    clock = Date.now()
    await say('UserPromptSubmit', { prompt: 'one more thing' }, 0)
    await page.locator('.swimlane canvas[aria-label*="Turns: 3"]').waitFor()
    await until(async () => (await seen()).to > before.to, 'a later end')
    await say('Stop', { last_assistant_message: 'Yes.' })
  })
})

describe('what it changed', () => {
  test('the lines of a real edit, and that the disk still has them', async () => {
    await show('Changes')
    const search = changed('src/search.ts')
    await search.getByText('as on disk').waitFor()
    expect(await search.locator('.line.del code').textContent()).toBe('const rows = like(text)')
    expect(await search.locator('.line.add code').textContent()).toBe(`const rows = match(text, '${EVIL}')`)
    expect(await violationsOf(page, { colours: '#session-panel' })).toEqual([])
  })

  test('code has its colours, readable in both themes', async () => {
    const search = changed('src/search.ts')
    const added = search.locator('.line.add code')
    expect(await added.locator('.hl-keyword').textContent()).toBe('const')
    expect((await added.locator('.hl-string').allTextContents()).join('')).toBe(`'${EVIL}'`)
    expect(await search.locator('.line.same .hl-comment').first().textContent()).toMatch(/^\/\/ line/)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { only: COLOURS, colours: '#session-panel' })).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('by prompt', async () => {
    await page.locator('.prompts button', { hasText: 'write it down' }).click()
    await changed('src/search.ts').waitFor({ state: 'detached' })
    expect(await page.locator('.file').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('at')).toMatch(/^\d+$/)
    await page.locator('.prompts button', { hasText: 'The whole session' }).click()
    await changed('src/search.ts').waitFor()
  })

  test('side by side', async () => {
    await page.getByRole('button', { name: 'Side by side' }).click()
    await changed('src/search.ts').locator('.split .pair').first().waitFor()
    await page.getByRole('button', { name: 'Unified' }).click()
  })

  test('says when somebody changed the file since, and when it is gone', async () => {
    writeFileSync(file, 'something else\n')
    await page.getByRole('button', { name: 'Check the disk again' }).click()
    await changed('src/search.ts').getByText('changed since').waitFor()
    rmSync(file)
    await page.getByRole('button', { name: 'Check the disk again' }).click()
    await changed('src/search.ts').getByText('gone').waitFor()
  })
})

describe('what happened', () => {
  test('events, with their payload pretty and raw', async () => {
    await show('Events')
    const row = page.locator('.session-event').filter({ hasText: 'npm run bench' }).first()
    await row.locator('.event-row').click()
    await row.locator('.payload').getByText('tool_input').waitFor()
    await row.getByRole('button', { name: 'Raw' }).click()
    await row.locator('pre', { hasText: '"tool_name":"Bash"' }).waitFor()
    await row.locator('pre .hl-attr', { hasText: '"tool_name"' }).waitFor()
    expect(await violationsOf(page, { colours: '#session-panel' })).toEqual([])
  })

  test('the other tabs say what they have, or why they have nothing', async () => {
    for (const tab of ['Transcript', 'Decisions', 'Effort']) {
      await show(tab)
      await page.locator('#session-panel .waits').waitFor({ state: 'detached' })
      expect(await violationsOf(page, { colours: '#session-panel' })).toEqual([])
    }
    await page.getByText('gantry effort start').waitFor()
    await show('Transcript') // there is none: what hooks told is here
    await page.locator('.message.user').filter({ hasText: 'write it down' }).waitFor()
    await page.locator('.message.assistant').filter({ hasText: 'Written.' }).waitFor()
    await show('Decisions')
    await page.locator('.decisions tr', { hasText: 'git push' }).getByText('1m 30s').waitFor()
  })
})

test('script in a prompt, a path, a tool name and a diff is text', async () => {
  for (const tab of ['Timeline', 'Changes', 'Events']) {
    await show(tab)
    await page.locator('#session-panel').getByText(EVIL, { exact: false }).first().waitFor()
  }
  expect(await page.title()).not.toContain('broken')
  expect(await page.locator('#page script').count()).toBe(0)
  expect(opened.problems).toEqual([])
})

test('exports: a page without script, and a trace', async () => {
  const save = async (button: string) => {
    await page.getByRole('button', { name: /^Export/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: button }).click(),
    ])
    return readFileSync(await download.path(), 'utf8')
  }
  const html = await save('Save as HTML')
  expect(html).not.toMatch(/<script/i)
  expect(html).toContain('&lt;script&gt;')
  expect(html).toContain('src/search.ts')
  // The command line writes the same.
  const path = join(dir, 'session.html')
  expect(await gantry(at, 'session', ID, '--html', path)).toMatchObject({ exit: 0 })
  const same = (text: string) => text.replace(/<footer>.*|<header>.*?<\/dl>/gs, '')
  expect(same(readFileSync(path, 'utf8'))).toBe(same(html))
  const trace = JSON.parse(await save('Save the trace')) as { traceEvents: { name: string }[] }
  expect(trace.traceEvents.some(({ name }) => name === 'Bash')).toBe(true)
})

test('its view waits neither for all sessions nor for what stands below the timeline', async () => {
  const other = await opened.context.newPage()
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked: string[] = []
  await other.routeWebSocket(/api\/live/, () => {}) // the snapshot never comes
  await other.route('**/api/call', async (route) => {
    const { cmd } = route.request().postDataJSON() as { cmd: string }
    asked.push(cmd)
    if (cmd === 'sessions.timeline') await held
    await route.continue()
  })
  await other.goto(new URL(PATH, page.url()).href)
  await other.locator('.session-head h1').waitFor()
  await until(() => asked.includes('sessions.timeline'), 'its timeline')
  await Bun.sleep(500)
  expect(asked).not.toContain('sessions.changes')
  expect(asked).not.toContain('sessions.usage')
  release()
  await other.locator('.swimlane-box').waitFor()
  await other.getByRole('heading', { name: 'What it changed' }).waitFor()
  expect(asked.filter((cmd) => cmd === 'sessions.timeline').length).toBe(1)
  await other.close()
})

test('an export opens from the disk, asks for nothing, and shows the session', async () => {
  const file = join(tempDir(), 'session.html')
  await page.goto(new URL(PATH, page.url()).href)
  await lane().waitFor()
  await page.keyboard.press('e')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as HTML' }).click()
  await (await saved).saveAs(file)
  const context = await opened.context.browser()?.newContext({ viewport: { width: 375, height: 800 } })
  if (!context) throw new Error('no browser')
  const alone = await context.newPage()
  const asked: string[] = []
  const problems: string[] = []
  alone.on('request', (request) => asked.push(request.url()))
  alone.on('console', (message) => problems.push(message.text()))
  alone.on('pageerror', (error) => problems.push(String(error)))
  for (const colorScheme of ['light', 'dark'] as const) {
    asked.length = 0
    await alone.emulateMedia({ colorScheme })
    await alone.goto(`file://${file}`, { waitUntil: 'networkidle' })
    expect(asked).toEqual([`file://${file}`])
    const text = (await alone.locator('body').textContent()) ?? ''
    for (const words of ['make search faster', 'npm test', 'git push', 'search.ts', 'What it changed'])
      expect(text).toContain(words)
    expect(text).toContain(EVIL)
    expect(await alone.locator('script').count()).toBe(0)
    expect(await alone.title()).not.toBe('broken')
    expect(await overflow(alone)).toBeLessThanOrEqual(0)
    expect(await violationsOf(alone, colorScheme === 'dark' ? { only: COLOURS } : {})).toEqual([])
    expect(problems).toEqual([])
  }
  await context.close()
})

test('what it asks is on top, with the way to answer it', async () => {
  const question = { tool_name: 'AskUserQuestion', tool_use_id: 'q1' }
  await say('UserPromptSubmit', { prompt: 'go on' }, 0)
  await say('PreToolUse', {
    ...question,
    tool_input: { questions: [{ question: 'Which index?', options: [{ label: 'FTS5' }] }] },
  })
  await page.locator('.session-asks').getByText('Which index?').waitFor()
  expect(await violationsOf(page, { colours: '.session-asks' })).toEqual([])
  await say('PostToolUse', { ...question, tool_input: {}, tool_response: {} })
  await page.locator('.session-asks').waitFor({ state: 'detached' })
})

test('renames', async () => {
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New name').fill('searcher')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'searcher', level: 1 }).waitFor()
})

test('on a phone and in the dark nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const tab of ['timeline', 'changes', 'events', 'decisions']) {
    await page.goto(new URL(tab === 'timeline' ? PATH : `${PATH}?tab=${tab}`, page.url()).href)
    await page.locator(`#session-panel[data-tab=${tab}]`).waitFor()
    await page.locator('#session-panel .waits').waitFor({ state: 'detached' })
    expect(await overflow(page)).toBe(0)
    expect(await violationsOf(page, { colours: tab === 'timeline' ? 'html' : '#session-panel' })).toEqual([])
    expect(await page.getByRole('button', { name: 'Side by side' }).count()).toBe(0)
  }
  expect(opened.problems).toEqual([])
})

test('a name in the address works, and one that nobody has says so', async () => {
  await page.goto(new URL('/session/searcher', page.url()).href)
  await page.getByRole('heading', { name: 'searcher' }).waitFor()
  await page.goto(new URL('/session/nobody', page.url()).href)
  await page.getByText('No such session').waitFor()
})

/** The fleet in a browser: what agents do appears, and what a person does there reaches the agent. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Places } from '../../src/core/files/paths.ts'
import { hold, permission, waiting } from '../daemon/approval-kit.ts'
import { gantry, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { anyPort } from '../nats-kit.ts'
import {
  COLOURS,
  linkOf,
  overflow,
  startBrowser,
  type TestBrowser,
  type TestPage,
  violationsOf,
} from './kit.ts'

let at: Places
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage
let page: Page

beforeAll(async () => {
  at = makeHome(`[http]\nport = ${await anyPort()}\n`) // the same after a restart
  ;[daemon, browser] = await Promise.all([startDaemon(at), startBrowser()])
  opened = await browser.open(at)
  page = opened.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

const say = (session: string, event: string, more: object = {}) =>
  sendFrame(at, {
    event,
    payload: JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...more }),
  })

const rows = () => page.locator('.row.session')
const row = (text: string) => rows().filter({ hasText: text })
const card = (text: string) => page.locator('.card').filter({ hasText: text })

describe('a new user', () => {
  test('is told what to do, and offered the demo', async () => {
    await page.getByText('No agent has reported yet').waitFor()
    await page.getByText('gantry install').waitFor()
    await page.getByRole('button', { name: 'Play the demo' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('plays the demo, and its sessions appear without a reload', async () => {
    const empty = makeHome()
    await using _daemon = await startDaemon(empty)
    const demo = await browser.open(empty)
    await demo.page.getByRole('button', { name: 'Play the demo' }).click()
    await until(
      async () => new Set(await demo.page.locator('.row.session .glyph').allTextContents()).size >= 3,
      'sessions of three agents',
    )
    expect(await demo.page.getByText('No agent has reported yet').count()).toBe(0)
    expect(demo.problems).toEqual([])
    await demo.context.close()
  })
})

describe('the live list', () => {
  test('shows a session as it begins, and what it does as it changes', async () => {
    await say('live', 'SessionStart', { source: 'startup' })
    await say('live', 'UserPromptSubmit', { prompt: 'count the sheep' })
    await row('count the sheep').filter({ hasText: 'working' }).waitFor()
    await row('count the sheep').locator('.strip .working').first().waitFor()
    await say('live', 'Stop', { last_assistant_message: 'There are forty sheep.' })
    await row('There are forty sheep.').filter({ hasText: 'done' }).waitFor()
  })

  test('shows a question with its answers, and counts it in the title', async () => {
    await say('asks', 'SessionStart', { source: 'startup' })
    await say('asks', 'UserPromptSubmit', { prompt: 'write the invoice' })
    await say('asks', 'PreToolUse', {
      tool_name: 'AskUserQuestion',
      tool_use_id: 'q1',
      tool_input: {
        questions: [{ question: 'Which VAT rate?', options: [{ label: 'standard' }, { label: 'reduced' }] }],
      },
    })
    await card('Which VAT rate?').getByText('reduced').waitFor()
    await until(async () => (await page.title()) === '▲1 gantry', 'the count in the title')
    const icon = await page.locator('link[rel=icon]').getAttribute('href')
    expect(decodeURIComponent(icon ?? '')).toContain('>1</text>')
    await say('asks', 'PostToolUse', {
      tool_name: 'AskUserQuestion',
      tool_use_id: 'q1',
      tool_input: {},
      tool_response: {},
    })
    await card('Which VAT rate?').waitFor({ state: 'detached' })
    await until(async () => (await page.title()) === 'gantry', 'the title without a count')
  })

  test('shows sub-agents below their session', async () => {
    await say('tree', 'SessionStart', { source: 'startup' })
    await say('tree', 'UserPromptSubmit', { prompt: 'look everywhere' })
    await say('tree', 'SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
    await page.locator('.row.child').filter({ hasText: 'Explore' }).waitFor()
    await say('tree', 'SubagentStop', { agent_id: 'a1', agent_type: 'Explore' })
    await page.locator('.row.child').waitFor({ state: 'detached' })
  })

  test('filters say what they hide', async () => {
    await say('over', 'SessionStart', { source: 'startup' })
    await say('over', 'UserPromptSubmit', { prompt: 'this one ends' })
    await say('over', 'SessionEnd', { reason: 'logout' })
    await page.getByRole('button', { name: 'hidden: 1 ended' }).waitFor()
    expect(await row('this one ends').count()).toBe(0)
    await page.getByRole('button', { name: 'hidden: 1 ended' }).click()
    await row('this one ends').waitFor()
    await page.getByRole('button', { name: /^live/ }).click()
    await row('this one ends').waitFor({ state: 'detached' })
  })

  test('search leaves what has the words, and says how many do not', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('sheep')
    await until(async () => (await rows().count()) === 1, 'one session')
    await page.getByText(/without these words/).waitFor()
    await page.keyboard.press('Escape')
    await until(async () => (await rows().count()) > 1, 'all sessions')
  })

  test('fills a wall, in larger text, and a phone shows the links of all views and what sessions are about', async () => {
    const width = async () => (await page.locator('.list').boundingBox())?.width ?? 0
    const height = async () => (await rows().first().boundingBox())?.height ?? 0
    const before = await height()
    await page.setViewportSize({ width: 3840, height: 2160 })
    await until(async () => (await width()) > 3_400, 'a list as wide as the screen')
    await until(async () => (await height()) > before * 1.4, 'higher lines')
    await page.setViewportSize({ width: 375, height: 812 })
    await page.keyboard.press('7')
    const links = page.getByRole('navigation', { name: 'Views' }).locator('.places').getByRole('link')
    await page.getByRole('heading', { name: 'Doctor' }).waitFor()
    for (const link of await links.all()) {
      const { x, width: wide } = (await link.boundingBox()) ?? { x: 0, width: 999 }
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + wide, (await link.textContent()) ?? '').toBeLessThanOrEqual(375)
    }
    await page.keyboard.press('1')
    const prompts = rows().locator('.prompt').filter({ hasText: /./ })
    await until(async () => (await prompts.first().boundingBox())?.height, 'a prompt')
    await page.setViewportSize({ width: 1280, height: 800 })
    await rows().first().waitFor()
  })
})

describe('the address', () => {
  const path = () => new URL(page.url()).pathname + new URL(page.url()).search

  test('has the filters: a reload keeps them, a link shares them, the way back finds them', async () => {
    await page.getByRole('button', { name: /^all/ }).click()
    await until(() => path() === '/?show=all', 'the filter in the address')
    await page.keyboard.press('/')
    await page.keyboard.type('this one')
    await page.keyboard.press('Enter')
    await until(() => path() === '/?show=all&q=this+one', 'the words in the address')
    await page.reload()
    await row('this one ends').waitFor()
    expect(await rows().count()).toBe(1)
    expect(await page.getByRole('button', { name: /^all/ }).getAttribute('aria-pressed')).toBe('true')
    await row('this one ends').getByRole('link').click()
    await page.waitForURL(/\/session\//)
    await page.getByRole('link', { name: 'Back to the fleet' }).click()
    await until(() => path() === '/?show=all&q=this+one', 'the same filters')
    await page.keyboard.press('Escape')
    await until(() => path() === '/', 'no filter')
    await page.goto(new URL('/?show=idle&agent=claude', page.url()).href)
    await row('There are forty sheep.').waitFor()
    expect(await page.getByRole('button', { name: /^idle/ }).getAttribute('aria-pressed')).toBe('true')
    await page.goto(new URL('/?show=nonsense', page.url()).href)
    await row('There are forty sheep.').waitFor()
    expect(await page.getByRole('button', { name: /^live/ }).getAttribute('aria-pressed')).toBe('true')
    await page.goto(new URL('/', page.url()).href)
    await row('There are forty sheep.').waitFor()
  })
})

describe('the keyboard', () => {
  test('moves, opens details, and shows its keys', async () => {
    await page.locator('body').click({ position: { x: 5, y: 400 } })
    await page.keyboard.press('g')
    await until(async () => (await page.locator('[aria-selected=true]').count()) === 1, 'a selected line')
    await page.keyboard.press('j')
    await page.locator('.row.session[aria-selected=true]:focus').waitFor()
    await page.keyboard.press(' ')
    await page.locator('.detail').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.detail').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('next session that needs you').waitFor()
    expect(await violationsOf(page, { colours: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('folds a place and unfolds it', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByText(/\d folded/).waitFor()
    await page.keyboard.press('l')
    await page.getByText(/\d folded/).waitFor({ state: 'detached' })
  })

  test('opens a session, and goes back to the same line', async () => {
    await page.keyboard.press('j')
    await page.locator('.row.session[aria-selected=true]').waitFor()
    await page.keyboard.press('o')
    await page.waitForURL(/\/session\//)
    await page.goBack()
    await page.locator('.row.session[aria-selected=true]').waitFor()
  })
})

describe('permissions', () => {
  test('a browser answers only after its owner has allowed it; then a held hook is approved', async () => {
    const held = hold(at, permission('make release', 'held'))
    await waiting(at)
    await card('make release').getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    const command = (await dialog.locator('.command code').textContent()) ?? ''
    expect(command).toMatch(/^gantry web allow \d{6}$/)
    expect(await violationsOf(page, { colours: 'dialog' })).toEqual([])
    const allowed = await gantry(at, ...command.split(' ').slice(1))
    expect(allowed.stderr).toBe('')
    await dialog.waitFor({ state: 'detached' })
    await waiting(at) // a confirmed browser has not answered by itself
    await card('make release').getByRole('button', { name: 'Approve' }).click()
    const { stdout } = await held.reply
    expect(JSON.parse(stdout).hookSpecificOutput.decision).toEqual({ behavior: 'allow' })
    await card('make release').waitFor({ state: 'detached' })
    held.kill()
  })

  test('is denied by keys, with a message for the agent', async () => {
    const held = hold(at, permission('make clean', 'denied'))
    await card('make clean').getByRole('button', { name: 'Deny' }).waitFor()
    await page.keyboard.press('n')
    await page.locator('.card[data-selected]').filter({ hasText: 'make clean' }).waitFor()
    const field = page.getByLabel('Why not? The agent is told.')
    await until(async () => {
      await page.keyboard.press('x')
      return await field.isVisible()
    }, 'the field for a message')
    await page.keyboard.type('Keep the build.')
    await page.keyboard.press('Enter')
    const { stdout } = await held.reply
    const { behavior, message } = JSON.parse(stdout).hookSpecificOutput.decision
    expect(behavior).toBe('deny')
    expect(message).toContain('Keep the build.')
    held.kill()
  })

  test('shows the whole command, and names what would be invisible', async () => {
    const held = hold(at, permission('echo a\u200bb\nrm -rf build', 'hides'))
    const box = card('rm -rf build').locator('.box')
    await until(
      async () => (await box.textContent()) === 'echo a⟨U+200B⟩b\nrm -rf build',
      'the command as it would run',
    )
    held.kill() // nobody holds it any more, so its answer is not here
    await card('rm -rf build').getByText('Answer it in its own terminal.').waitFor()
  })
})

describe('a hostile agent', () => {
  const EVIL = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'

  test('writes text, whatever it writes', async () => {
    await say(EVIL, 'SessionStart', { source: EVIL, model: EVIL })
    await say(EVIL, 'UserPromptSubmit', { prompt: EVIL })
    await say(EVIL, 'SubagentStart', { agent_id: EVIL, agent_type: EVIL })
    await say(EVIL, 'PreToolUse', {
      tool_name: EVIL,
      tool_use_id: 'e1',
      tool_input: { questions: [{ question: EVIL, options: [{ label: EVIL }] }] },
    })
    await say(EVIL, 'PermissionRequest', { tool_name: EVIL, tool_input: { command: EVIL, [EVIL]: EVIL } })
    await page.locator('.card').filter({ hasText: 'onerror' }).first().waitFor()
    await page.locator('.row.child').filter({ hasText: 'onerror' }).waitFor()
    await row('onerror').first().click()
    await page.locator('.detail').filter({ hasText: 'onerror' }).waitFor()
    expect(await page.evaluate<unknown>('window.hit')).toBeUndefined()
    expect(await page.locator('#page img[src], #page script').count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

describe('how it looks', () => {
  test('fits a phone, dark and light, and axe finds nothing', async () => {
    for (const dark of [false, true]) {
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      for (const width of [375, 1280, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        await rows().first().waitFor()
        expect(await overflow(page), `${width} px`).toBeLessThanOrEqual(0)
        if (!dark)
          expect(await violationsOf(page, { colours: width === 375 && 'html' }), `${width} px`).toEqual([])
      }
      if (dark) expect(await violationsOf(page, { only: COLOURS })).toEqual([])
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      expect(background).toBe(dark ? 'rgb(13, 16, 20)' : 'rgb(250, 250, 248)')
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})

describe('the connection', () => {
  test('a killed daemon is said, and the page goes on with the next one without being loaded again', async () => {
    await page.evaluate('window.same = true')
    await daemon.kill('SIGKILL')
    await page
      .getByRole('alert')
      .getByText(/has not answered/)
      .waitFor()
    daemon = await startDaemon(at)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await say('after', 'SessionStart', { source: 'startup' })
    await say('after', 'UserPromptSubmit', { prompt: 'after the restart' })
    await row('after the restart').waitFor()
    expect(await page.evaluate<unknown>('window.same')).toBe(true)
  })

  test('a browser that was signed out says how to get in again; another daemon of this machine signs nobody out', async () => {
    const other = makeHome()
    await using _other = await startDaemon(other)
    const mine = await browser.open(at)
    await mine.page.locator('.row.session').first().waitFor()
    const second = await mine.context.newPage()
    await second.goto(await linkOf(other))
    await second.getByText('No agent has reported yet').waitFor()
    const cookies = await mine.context.cookies()
    expect(new Set(cookies.map(({ name }) => name)).size).toBe(2)
    await mine.page.reload()
    await mine.page.locator('.row.session').first().waitFor()
    await gantry(other, 'web', 'sign-out')
    await second
      .getByRole('alert')
      .getByText(/not signed in any more/)
      .waitFor()
    await second.getByRole('alert').getByText('gantry web').waitFor()
    await mine.page.reload()
    await mine.page.locator('.row.session').first().waitFor()
    await mine.context.close()
  })

  test('nothing went wrong in the browser meanwhile', () => {
    expect(opened.problems).toEqual([])
  })
})

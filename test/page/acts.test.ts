/** What a person does to an agent from the page, with a real tmux: go there, send text, interrupt, end, rename, raise a budget. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { call } from '../../src/client/index.ts'
import {
  envFor,
  gantry,
  isGone,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { startTmux, type TestPane, type Tmux } from '../tui/terminal.ts'
import { startBrowser, type TestBrowser, type TestPage, violationsOf } from './kit.ts'
import { type BrowserKey, browserKey, post, signIn } from './page-kit.ts'

const at = makeHome('[[budgets]]\nid = "few"\nper = "session"\ntool_calls = 1\n')
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage
let page: Page
let tmux: Tmux
/** Takes text; what it got is on its screen. */
let agent: TestPane
let victim: TestPane
let victimPid = 0

beforeAll(async () => {
  ;[daemon, browser, tmux] = await Promise.all([startDaemon(at), startBrowser(), startTmux()])
  agent = tmux.open(['sh', '-c', 'echo agent is here; stty -echo; exec cat -v'], {
    env: envFor(at),
    name: 'agent',
  })
  const file = join(tempDir(), 'pid')
  victim = tmux.open(['sh', '-c', `echo $$ > ${file}; exec sleep 600`], { env: envFor(at) })
  await agent.shows('agent is here')
  victimPid = await until(() => Number(quietly(() => readFileSync(file, 'utf8'))), 'the pid of the agent')
  opened = await browser.open(at)
  page = opened.page
  await begin('crew', { pane: agent.id, tmux: tmux.variable })
  await say('crew', 'Stop', { last_assistant_message: 'Ready.' }, { pane: agent.id, tmux: tmux.variable })
  await rowOf('crew').waitFor()
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await tmux?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

const say = (session: string, event: string, more: object = {}, header: Record<string, unknown> = {}) =>
  sendFrame(at, {
    event,
    payload: JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...more }),
    header,
  })

async function begin(session: string, header: Record<string, unknown> = {}): Promise<void> {
  await say(session, 'SessionStart', { source: 'startup' }, header)
  await call(at, 'sessions.rename', { session: `claude:${session}`, name: session })
  await say(session, 'UserPromptSubmit', { prompt: `the prompt of ${session}` }, header)
}

const rowOf = (name: string) => page.locator('.row.session').filter({ hasText: name })
const select = async (name: string) => {
  if ((await rowOf(name).getAttribute('aria-expanded')) !== 'true') await rowOf(name).click()
  await page.locator('.row.session[aria-selected=true]').filter({ hasText: name }).waitFor()
  await page.locator('.detail').waitFor()
}
const dialog = () => page.getByRole('dialog')
const toast = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).waitFor()

test('a click shows the pane in the terminal that is attached', async () => {
  await using outer = await startTmux()
  tmux.open(['sh', '-c', 'echo elsewhere; exec sleep 600'], { env: envFor(at), name: 'other' })
  const client = outer.open(['tmux', '-u', '-S', tmux.socket, 'attach', '-t', 'other'], { env: envFor(at) })
  await client.shows('elsewhere')
  await select('crew')
  await page.getByRole('button', { name: 'Go to pane' }).click()
  await client.shows('agent is here')
  await toast('tmux shows the pane of crew.')
  // The same by its key, from the session's own view.
  tmux.run('switch-client', '-c', tmux.run('list-clients', '-F', '#{client_name}').trim(), '-t', 'other')
  await client.shows('elsewhere')
  await page.keyboard.press('o')
  await page.waitForURL(/\/session\//)
  await page.getByRole('button', { name: 'Go to pane' }).waitFor()
  await page.keyboard.press('Enter')
  await client.shows('agent is here')
  await page.goBack()
})

test('without a terminal the page says how to get one', async () => {
  await select('crew')
  await page.getByRole('button', { name: 'Go to pane' }).click()
  await toast(/No terminal shows that tmux server. Go there with: tmux -S/)
})

describe('text', () => {
  test('is sent only by a browser that was allowed, and then as it is', async () => {
    await rowOf('crew').waitFor()
    await page.keyboard.press('s')
    await dialog().getByLabel('It is typed into its pane').fill('Enter $(id) #{pane_id} ; -l')
    expect(await violationsOf(page, { colours: 'dialog' })).toEqual([])
    await page.keyboard.press('Enter')
    const command = page
      .getByRole('dialog', { name: 'May this browser answer for you?' })
      .locator('.command code')
    const [, ...args] = ((await command.textContent()) ?? '').split(' ')
    expect(agent.text()).not.toContain('pane_id')
    expect((await gantry(at, ...args)).exit).toBe(0)
    await dialog().getByRole('button', { name: 'Send' }).click()
    await agent.shows('Enter $(id) #{pane_id} ; -l')
    await toast('Sent to crew.')
    await dialog().waitFor({ state: 'detached' })
  })

  test('goes to nobody who works, and Escape to nobody who rests', async () => {
    await page.keyboard.press('i')
    await toast('crew is idle: nothing to interrupt.')
    await say('crew', 'UserPromptSubmit', { prompt: 'row' }, { pane: agent.id, tmux: tmux.variable })
    await rowOf('crew').filter({ hasText: 'working' }).waitFor()
    await page.keyboard.press('s')
    await toast('crew is working: text goes only to an agent that is idle or asks.')
    await page.keyboard.press('i')
    await toast('Escape sent to crew.')
    tmux.run('send-keys', '-t', agent.id, 'Enter')
    await agent.shows('^[')
  })
})

test('K ends an agent after a yes, and not before', async () => {
  const header = { pane: victim.id, tmux: tmux.variable, env: { CLAUDE_PID: String(victimPid) } }
  await begin('stowaway', header)
  await select('stowaway')
  await page.keyboard.press('K')
  await dialog().getByText('its process is killed').waitFor()
  expect(await violationsOf(page, { colours: 'dialog' })).toEqual([])
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(isGone(victimPid)).toBe(false)
  await page.keyboard.press('K')
  await dialog().getByRole('button', { name: 'End it' }).click()
  await until(() => isGone(victimPid), 'the end of the agent')
})

test('r renames a session', async () => {
  await select('crew')
  await page.keyboard.press('r')
  await dialog().getByLabel('New name').fill('bad name')
  await page.keyboard.press('Enter')
  expect(await dialog().count()).toBe(1) // the browser says what is wrong with it
  await dialog().getByLabel('New name').fill('bosun')
  await page.keyboard.press('Enter')
  await rowOf('bosun').waitFor()
  await dialog().waitFor({ state: 'detached' })
})

test('a budget that is used up is said, and raised', async () => {
  await begin('spender')
  for (const event of ['PreToolUse', 'PostToolUse'])
    await say('spender', event, { tool_name: 'Bash', tool_use_id: 'u1', tool_input: { command: 'ls' } })
  const limit = async () => {
    const [few] = await call(at, 'budgets.list', { session: 'claude:spender' })
    return few?.uses[0]?.caps[0]
  }
  await until(async () => (await limit())?.used === 1, 'a use of the budget')
  await select('spender')
  await page.locator('.detail').getByText('few: 1 tool call of 1 tool call, used up').waitFor()
  await page.keyboard.press('b')
  await dialog().getByText('used up').waitFor()
  expect(await violationsOf(page, { colours: 'dialog' })).toEqual([])
  await dialog().getByLabel('New limit of few').fill('7')
  await dialog().getByRole('button', { name: 'Raise' }).click()
  await dialog().getByText('1 tool call of 7 tool calls').waitFor()
  expect((await limit())?.limit).toBe(7)
  await page.keyboard.press('Escape')
})

describe('a question in its own terminal', () => {
  test('is answered with text, marked as seen, and stays', async () => {
    const header = { pane: agent.id, tmux: tmux.variable }
    await begin('asker', header)
    const asked = { questions: [{ question: 'Which port?', options: [{ label: 'Bergen' }] }] }
    const question = { tool_name: 'AskUserQuestion', tool_use_id: 'q1', tool_input: asked }
    await say('asker', 'PreToolUse', question, header)
    const card = page.locator('.card').filter({ hasText: 'Which port?' })
    await card.getByRole('button', { name: 'Send text' }).click()
    await dialog().getByLabel('It is typed into its pane').fill('Bergen, before dusk')
    await page.keyboard.press('Enter')
    await agent.shows('Bergen, before dusk')
    await dialog().waitFor({ state: 'detached' })
    await card.getByRole('button', { name: 'Seen' }).click()
    await card.getByText('seen', { exact: true }).waitFor()
    expect((await call(at, 'sessions.get', { session: 'asker' })).seen).toBe(true)
    expect(await card.getByText('Bergen').count()).toBe(1)
  })
})

describe('without a browser', () => {
  let cookie = ''
  let key: BrowserKey
  let device = ''
  const send = async (path: string, body: object) =>
    JSON.parse((await post(at, cookie, path, body)).text) as {
      error?: string
      message?: string
      data?: { nonce?: string; device?: string; code?: string }
    }

  beforeAll(async () => {
    cookie = await signIn(at)
    key = await browserKey()
    const { data } = await send('/api/device', { publicKey: key.publicKey, label: 'me' })
    device = data?.device ?? ''
    await gantry(at, 'web', 'allow', data?.code ?? '')
  })

  test('nothing is typed without the very signature, nor twice with one', async () => {
    const session = 'claude:crew'
    await say('crew', 'Stop', {}, { pane: agent.id, tmux: tmux.variable })
    const { data } = await send('/api/nonce', {})
    const nonce = data?.nonce ?? ''
    const good = {
      ...{ session, act: 'send', text: 'aye', nonce, device },
      signature: await key.sign(['act', session, 'send', 'aye', nonce]),
    }
    const refused: Record<string, [object, string]> = {
      'other text': [{ ...good, text: 'rm -rf /' }, 'PERMISSION'],
      'another act': [{ ...good, act: 'end' }, 'PERMISSION'],
      'an act that does not exist': [{ ...good, act: 'type' }, 'VALIDATION_ERROR'],
      'another session': [{ ...good, session: 'claude:asker' }, 'PERMISSION'],
      'another device': [{ ...good, device: 'x' }, 'DEVICE_NOT_ALLOWED'],
      'the cookie alone': [{ session, act: 'send', text: 'rm -rf /', nonce }, 'VALIDATION_ERROR'],
    }
    for (const [what, [body, error]] of Object.entries(refused))
      expect((await send('/api/act', body)).error, what).toBe(error)
    expect((await send('/api/act', good)).error).toBeUndefined()
    await agent.shows('aye')
    expect((await send('/api/act', good)).error).toBe('NONCE_USED')
    expect(agent.text().match(/aye/g)).toHaveLength(1)
    expect(agent.text()).not.toContain('rm -rf')
  })

  test('a permission is not answered by typing', async () => {
    await begin('gate', { pane: agent.id, tmux: tmux.variable })
    const asks = { tool_name: 'Bash', tool_input: { command: 'make' } }
    await say('gate', 'PermissionRequest', asks, { pane: agent.id, tmux: tmux.variable })
    const { data } = await send('/api/nonce', {})
    const nonce = data?.nonce ?? ''
    const signature = await key.sign(['act', 'claude:gate', 'send', 'y', nonce])
    const told = await send('/api/act', {
      session: 'claude:gate',
      act: 'send',
      text: 'y',
      nonce,
      device,
      signature,
    })
    expect(told.message).toContain('waits for a decision, not for text')
  })
})

test('nothing went wrong in the browser', () => {
  expect(opened.problems.filter((one) => !/status of 40[039]/.test(one))).toEqual([])
})

function quietly(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

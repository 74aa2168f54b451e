/** The journal in a browser: any place of it, links, filters, search, and the live end. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Places } from '../../src/core/files/paths.ts'
import { journal, makeHome, type RunningDaemon, sendFrame, sendFrames, startDaemon, until } from '../kit.ts'
import { anyPort } from '../nats-kit.ts'
import { overflow, startBrowser, type TestBrowser, type TestPage, violationsOf } from './kit.ts'

const RULES = `rules:
  - { id: no-mutiny, on: PreToolUse, match: { tool.input.command: '^mutiny' }, then: { deny: 'Not on this ship.' } }
`
const COUNT = 1_300 // six times what is loaded at first
const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

let at: Places
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage
let page: Page

beforeAll(async () => {
  at = makeHome(`[http]\nport = ${await anyPort()}\n`) // the same after a restart
  mkdirSync(at.rules, { recursive: true })
  writeFileSync(join(at.rules, 'a.yaml'), RULES)
  ;[daemon, browser] = await Promise.all([startDaemon(at), startBrowser()])
  await sendFrames(
    at,
    Array.from({ length: COUNT }, (_, n) => tool(n + 1)),
  )
  opened = await browser.open(at, { to: '/journal' })
  page = opened.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

const hook = (event: string, more: object = {}) => ({
  event,
  payload: JSON.stringify({ hook_event_name: event, session_id: 'ship', cwd: '/', ...more }),
})

/** Every tenth reads a file, and the second has a tool of its own. */
const tool = (n: number, name = n === 2 ? 'Sextant' : 'Bash') =>
  hook('PreToolUse', {
    tool_use_id: `call${n}`,
    ...(n % 10 === 0
      ? { tool_name: 'Read', tool_input: { file_path: `/chart/${n}.md` } }
      : { tool_name: name, tool_input: { command: `echo buoy ${n}` } }),
  })

const lines = () => page.locator('.event')
const line = (text: string) => lines().filter({ hasText: text })
const rail = () => page.getByRole('slider', { name: 'Place in the journal' })
const idOf = (seq: number) =>
  journal<{ id: string }>(at, `SELECT id FROM events WHERE seq = ${seq}`)[0]?.id ?? ''
const path = () => new URL(page.url()).pathname + new URL(page.url()).search

describe('any place', () => {
  test('begins at the newest, live', async () => {
    await line(`chart/${COUNT}.md`).waitFor()
    await page.getByText('● live').waitFor()
    expect(await lines().count()).toBeLessThan(120)
  })

  test('the middle of the rail is the middle of the journal', async () => {
    const box = await rail().boundingBox()
    if (!box) throw new Error('no rail')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await until(async () => {
      const seq = Number(await rail().getAttribute('aria-valuenow'))
      return seq > 0.45 * COUNT && seq < 0.55 * COUNT
    }, 'the middle')
    await line(`echo buoy ${COUNT / 2 + 1}`).waitFor()
    await page.getByRole('button', { name: /newer/ }).waitFor()
  })

  test('scrolling goes on from page to page, to the first event', async () => {
    await page.locator('.events-box').hover()
    await until(async () => {
      await page.mouse.wheel(0, -4_000)
      return (await page.locator('#event-1').count()) === 1
    }, 'the first event')
    await page.getByText('The first event of the journal.').waitFor()
    await until(async () => {
      await page.mouse.wheel(0, 6_000)
      return (await page.getByText('● live').count()) === 1
    }, 'the newest event')
    await line(`chart/${COUNT}.md`).waitFor()
  })

  test('g and G lead to both ends, j and Enter open an event', async () => {
    await page.keyboard.press('g')
    await page.locator('#event-1').waitFor()
    await page.keyboard.press('j')
    await page.locator('.event[aria-selected=true]').waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('complementary', { name: 'Event' })
      .getByRole('heading', { name: 'PreToolUse' })
      .waitFor()
    const first = path()
    await page.keyboard.press('j')
    await until(() => path() !== first, 'the next event in the address')
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Event' }).waitFor({ state: 'detached' })
    await page.keyboard.press('G')
    await page.getByText('● live').waitFor()
  })
})

describe('a link', () => {
  test('leads to its event, with the payload and the line among its neighbours', async () => {
    const seq = 1_234
    await page.goto(new URL(`/journal?event=${idOf(seq)}`, page.url()).href)
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByText('event 1,234').waitFor()
    await panel.getByText('echo buoy', { exact: false }).first().waitFor()
    await page.locator(`#event-${seq}[aria-selected=true]`).waitFor()
    await panel.getByRole('tab', { name: 'Raw' }).click()
    await panel.getByText('"hook_event_name":"PreToolUse"').waitFor()
    await panel.getByRole('tab', { name: 'Rules' }).click()
    await panel.getByText('With the rules as they are now: no verdict').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('by number leads there, too', async () => {
    await page.goto(new URL('/journal/777', page.url()).href)
    await page.locator('#event-777[aria-selected=true]').waitFor()
  })

  test('to an event that is gone says so', async () => {
    await page.goto(new URL('/journal?event=gone', page.url()).href)
    await page.getByText('It may have been deleted').waitFor()
    await line(`chart/${COUNT}.md`).waitFor()
  })
})

describe('filters', () => {
  test('leave what passes, say what they hide, and stand in the address', async () => {
    await page.goto(new URL('/journal', page.url()).href)
    await line(`chart/${COUNT}.md`).waitFor()
    await page.getByLabel('Filter by tool').selectOption('Read')
    await until(async () => (await lines().count()) > 0 && (await line('Bash').count()) === 0, 'only Read')
    const chip = page.getByRole('button', { name: /^hidden: [\d,]+ of [\d,]+ looked at$/ })
    await chip.waitFor()
    const [hidden = 0, looked = 0] = [...((await chip.textContent()) ?? '').matchAll(/[\d,]+/g)].map(([n]) =>
      Number(n.replace(',', '')),
    )
    expect(hidden / looked).toBeGreaterThan(0.85)
    expect(path()).toBe('/journal?tool=Read')
    await chip.click()
    await line('Bash').first().waitFor()
    expect(path()).toBe('/journal')
  })

  test('that nothing passes offer to show all', async () => {
    await page.getByLabel('Filter by type').selectOption('Elicitation')
    await page.getByRole('heading', { name: 'No event passes these filters' }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await line(`chart/${COUNT}.md`).waitFor()
  })
})

describe('the toolbar', () => {
  const filter = () => page.getByLabel('Filter by tool')
  const first = () => page.getByText('The first event of the journal.')

  test('offers a tool that no loaded line has, too, and what is before its first event is true', async () => {
    await filter().locator('option', { hasText: 'Sextant' }).waitFor({ state: 'attached' })
    expect(await line('Sextant').count()).toBe(0)
    await filter().selectOption('Sextant')
    await line('Sextant').waitFor()
    expect(await lines().count()).toBe(1)
    await page.getByText('No earlier event of the journal passes the filters.').waitFor()
    expect(await first().count()).toBe(0)
    await filter().selectOption('Bash')
    await until(async () => {
      await page.keyboard.press('g')
      return (await page.locator('#event-1').count()) === 1
    }, 'the first event')
    await first().waitFor() // which is of Bash
  })

  test('takes the name of any other tool', async () => {
    await filter().selectOption('other, by name…')
    const field = page.getByLabel('Name of the tool')
    await field.fill(' Astrolabe')
    await field.press('Enter')
    await page.getByRole('heading', { name: 'No event passes these filters' }).waitFor()
    expect(path()).toBe('/journal?tool=Astrolabe')
    await filter().selectOption('other, by name…')
    await field.press('Escape')
    await filter().waitFor()
    expect(path()).toBe('/journal?tool=Astrolabe')
    await sendFrames(at, [tool(9_999, 'Astrolabe')])
    await line('buoy 9999').waitFor()
  })

  test('is one row from 1280 pixels on, whatever is chosen', async () => {
    const chosen = '/journal?agent=claude&session=ship&type=PreToolUse&tool=Bash'
    for (const to of ['/journal', chosen]) {
      await page.goto(new URL(to, page.url()).href)
      await lines().first().waitFor()
      const bar = page.locator('.journal-bar')
      if (to === chosen) await bar.getByRole('button', { name: /^hidden:/ }).waitFor()
      for (const width of [1280, 1440, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        await until(async () => (await page.evaluate<number>('innerWidth')) === width, 'the width')
        const boxes = await page.evaluate<{ x: number; y: number; width: number; height: number }[]>(
          `[...document.querySelectorAll('.journal-bar :is(input, select, button)')].map((one) => one.getBoundingClientRect().toJSON())`,
        )
        const middles = boxes.map(({ y, height }) => y + height / 2)
        const where = { width, to }
        expect({ ...where, isOne: Math.max(...middles) - Math.min(...middles) < 4 }).toEqual({
          ...where,
          isOne: true,
        })
        expect(boxes.length).toBeGreaterThan(4)
        expect(Math.max(...boxes.map((box) => box.x + box.width))).toBeLessThanOrEqual(width)
        expect(Math.min(...boxes.map((box) => box.width))).toBeGreaterThanOrEqual(60)
        expect(await overflow(page)).toBeLessThanOrEqual(0)
      }
    }
    expect(opened.problems.filter((one) => !/400|404/.test(one))).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(new URL('/journal', page.url()).href)
  })
})

describe('verdicts', () => {
  const call = (text: string) => line(text).filter({ hasText: 'PreToolUse' })

  test('are a column, also of what has just come, with the rule that said so', async () => {
    await page.getByText('● live').waitFor()
    await sendFrame(
      at,
      hook('PreToolUse', { tool_name: 'Bash', tool_use_id: 'm', tool_input: { command: 'mutiny now' } }),
    )
    const denied = call('mutiny now').locator('.event-verdict').filter({ hasText: '✖ denied' })
    await denied.waitFor()
    expect(await denied.getAttribute('title')).toBe('no-mutiny: Not on this ship.')
    await page.reload()
    await denied.waitFor()
    await page.goto(new URL('/session/claude:ship?tab=events', page.url()).href)
    await page
      .locator('.event-row')
      .filter({ hasText: 'mutiny now' })
      .filter({ hasText: '✖ denied' })
      .first()
      .waitFor()
  })

  test('are a filter, which stands in the address', async () => {
    await page.goto(new URL('/journal', page.url()).href)
    await line('mutiny now').first().waitFor()
    await page.getByLabel('Filter by verdict').selectOption('deny')
    await page.waitForURL(/verdict=deny/)
    await until(
      async () => (await line('buoy').count()) === 0 && (await lines().count()) === 1,
      'only what was denied',
    )
    await call('mutiny now').waitFor()
    await sendFrame(
      at,
      hook('PreToolUse', { tool_name: 'Bash', tool_use_id: 'm2', tool_input: { command: 'mutiny later' } }),
    )
    await call('mutiny later').waitFor()
  })

  test('of another host are on that host', async () => {
    await page.goto(new URL('/journal?host=nowhere', page.url()).href)
    await page.getByRole('heading', { name: 'The journal of nowhere is there' }).waitFor()
    await page.getByRole('button', { name: 'Events of this host' }).click()
    await line('mutiny later').first().waitFor()
    await page.goto(new URL(`/journal?host=${hostname()}&verdict=deny`, page.url()).href)
    await line('mutiny later').waitFor()
    expect(await line('buoy').count()).toBe(0)
    await page.goto(new URL('/journal', page.url()).href)
  })
})

describe('the live end', () => {
  test('shows events as they come, and none while it is paused', async () => {
    await page.getByText('● live').waitFor()
    await sendFrame(at, hook('UserPromptSubmit', { prompt: 'man the pumps' }))
    await line('man the pumps').waitFor()
    await page.locator('body').click({ position: { x: 5, y: 400 } })
    await page.keyboard.press(' ')
    await page.getByText('‖ paused').waitFor()
    await sendFrame(at, hook('UserPromptSubmit', { prompt: 'lower the boats' }))
    const more = page.getByRole('button', { name: /^\d+ newer ↓/ })
    await more.waitFor()
    expect(await line('lower the boats').count()).toBe(0)
    await more.click()
    await line('lower the boats').waitFor()
    await page.getByText('● live').waitFor()
  })

  test('is where the rail is dropped at its end', async () => {
    await page.keyboard.press('g')
    await page.locator('#event-1').waitFor()
    const box = await rail().boundingBox()
    if (!box) throw new Error('no rail')
    const x = box.x + box.width / 2
    await page.mouse.move(x, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(x, box.y + box.height / 2, { steps: 4 })
    await page.mouse.move(x, box.y + box.height + 20, { steps: 4 })
    await page.mouse.up()
    await page.getByText('● live').waitFor()
    await sendFrame(at, hook('UserPromptSubmit', { prompt: 'all hands on deck' }))
    await line('all hands on deck').waitFor()
  })

  test('with a filter takes only what passes', async () => {
    await page.getByLabel('Filter by tool').selectOption('Read')
    await page.getByText('● live').waitFor()
    await sendFrames(at, [tool(90_001), tool(90_010)])
    await line('chart/90010.md').waitFor()
    expect(await line('buoy 90001').count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

describe('search', () => {
  test('finds words anywhere in the journal, and leads to their place', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('"buoy 1101"')
    const hit = page.locator('.hit').filter({ hasText: 'buoy 1101' })
    await hit.waitFor()
    expect((await hit.locator('mark').allTextContents()).join(' ')).toContain('buoy')
    await hit.click()
    await page.getByRole('button', { name: 'Show in the journal' }).click()
    await page.locator('.event[aria-selected=true]').filter({ hasText: 'buoy 1101' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('says when nothing is found', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('kraken')
    await page.getByRole('heading', { name: 'Nothing has these words' }).waitFor()
    await page.keyboard.press('Escape')
    await lines().first().waitFor()
  })

  test('offers the words that begin so, where the word itself is nowhere', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('buo')
    await page.getByRole('button', { name: 'Search for buo*' }).click()
    await page.locator('.hit').filter({ hasText: 'buoy' }).first().waitFor()
    expect(path()).toBe('/journal?q=buo*')
    await page.keyboard.press('Escape')
    await lines().first().waitFor()
  })
})

describe('what agents send', () => {
  test('is text, whatever it is, in the list, in the event, and in a search', async () => {
    await page.keyboard.press('G')
    await page.getByText('● live').waitFor()
    await sendFrame(
      at,
      hook('PreToolUse', { tool_name: SCRIPT, tool_use_id: 'x', tool_input: { command: `run ${SCRIPT}` } }),
    )
    await sendFrame(at, hook('UserPromptSubmit', { prompt: `leviathan ${SCRIPT}` }))
    await line('leviathan <img').click()
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByText(`leviathan ${SCRIPT}`).first().waitFor()
    await page.keyboard.press('Escape')
    await line('run <img').click()
    await panel.getByText(`run ${SCRIPT}`).first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('leviathan')
    await page.locator('.hit').filter({ hasText: '<img' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined()
  })
})

describe('export', () => {
  test('saves what is shown as JSON lines, and says how many', async () => {
    await page.getByLabel('Filter by tool').selectOption('Read')
    await until(async () => (await line('Bash').count()) === 0, 'only Read')
    await page.getByRole('button', { name: 'Export' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const text = await Bun.file(await (await saved).path()).text()
    const tools = text
      .trimEnd()
      .split('\n')
      .map((one) => (JSON.parse(one) as { tool: { name: string } }).tool.name)
    expect(tools.length).toBe(COUNT / 10 + 1)
    expect(new Set(tools)).toEqual(new Set(['Read']))
    await page.getByText(`${tools.length} events exported.`).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })
})

describe('a daemon that was started anew', () => {
  test('is followed without a reload, and what retention has deleted is said', async () => {
    await page.goto(new URL('/journal', page.url()).href)
    await page.getByText('● live').waitFor()
    await page.evaluate('window.same = true')
    await daemon.kill('SIGKILL')
    await page.getByRole('alert').waitFor()
    const db = new Database(at.database)
    db.run('PRAGMA busy_timeout = 10000') // what the killed daemon started may still read
    db.run('DELETE FROM events WHERE seq <= 500')
    db.close()
    daemon = await startDaemon(at)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await sendFrame(at, hook('UserPromptSubmit', { prompt: 'after the storm' }))
    await line('after the storm').waitFor()
    await page.getByText('● live').waitFor()
    expect(await page.evaluate<unknown>('window.same')).toBe(true)
    await page.keyboard.press('g')
    await page.getByText('The journal begins here: events 1 to 500 were deleted by retention.').waitFor()
    await page.locator('#event-501').waitFor()
    await page.keyboard.press('G')
  })
})

describe('the look', () => {
  test('fits a phone, and is clean for screen readers in both themes', async () => {
    // In the light, the list and an event beside it have been looked at where a link leads to it.
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 375, height: 740 })
    await lines().first().waitFor()
    expect(await overflow(page)).toBe(0)
    for (const one of await page.locator('.journal-bar .chips > *').all()) {
      const { x, width } = (await one.boundingBox()) ?? { x: 0, width: 999 }
      expect(x + width, (await one.textContent()) ?? '').toBeLessThanOrEqual(375)
    }
    const bottom = 'document.querySelector(".journal").getBoundingClientRect().bottom'
    expect(await page.evaluate<number>(bottom)).toBeCloseTo(740, 0)
    expect(await violationsOf(page)).toEqual([])
    await lines().last().click()
    await page.getByRole('complementary', { name: 'Event' }).getByRole('tab', { name: 'Raw' }).waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await violationsOf(page, { colours: '.event-panel' })).toEqual([])
    expect(opened.problems.filter((one) => !/400|404/.test(one))).toEqual([])
  })
})

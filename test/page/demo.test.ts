/** The demo from the empty page: recorded sessions of several agents appear live. */
import { expect, test } from 'bun:test'
import { makeHome, startDaemon, until } from '../kit.ts'
import { startBrowser } from './kit.ts'

test('a new user plays the demo, and its sessions appear without a reload', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  await using browser = await startBrowser()
  const { page, problems } = await browser.open(at)
  await page.getByRole('button', { name: 'Play the demo' }).click()
  await until(
    async () => new Set(await page.locator('.row.session .glyph').allTextContents()).size >= 3,
    'sessions of three agents',
  )
  expect(await page.getByText('No agent has reported yet').count()).toBe(0)
  expect(problems).toEqual([])
})

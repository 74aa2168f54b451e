/** Several hosts on one NATS: the page of one shows the sessions of all, and says whose host is gone. */
import { expect, test } from 'bun:test'
import { host } from '../bus/fleet-kit.ts'
import { startServer } from '../nats-kit.ts'
import { startBrowser, violationsOf } from './kit.ts'

test('a session of another host appears with its host, and its host is said to have stopped', async () => {
  const server = await startServer()
  const [here, there, browser] = await Promise.all([
    host(server, 'alpha'),
    host(server, 'beta'),
    startBrowser(),
  ])
  await using _browser = browser
  const { page, problems } = await browser.open(here.at)
  await here.say('mine', 'UserPromptSubmit', { prompt: 'work of this host' })
  await there.say('theirs', 'UserPromptSubmit', { prompt: 'work of the other host' })
  await page.locator('.row.session').filter({ hasText: 'work of this host' }).waitFor()
  await page.locator('.row.session').filter({ hasText: 'work of the other host' }).waitFor()
  await page.locator('.row.group').filter({ hasText: 'on beta' }).waitFor()
  await page.getByText('2 hosts').waitFor()
  await there.daemon.kill('SIGTERM')
  await page.locator('.row.group').filter({ hasText: 'on beta, stopped' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(problems).toEqual([])
  await here.daemon.kill('SIGKILL')
  await server.kill('SIGKILL')
})

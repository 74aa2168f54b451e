/**
 * bun scripts/page-pictures.ts <folder>: pictures of every view of the page with the demo's sessions, in both themes and three
 * widths, to look at. `--docs` writes the two of the documentation.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../src/client/index.ts'
import { makeHome, startDaemon, until } from '../test/kit.ts'
import { startBrowser } from '../test/page/kit.ts'

const PLAYED_MS = 45_000 // of the demo, until several sessions have worked, asked and changed files
const WIDTHS = [375, 1280, 3840]
const isDocs = process.argv.includes('--docs')
const folder = isDocs ? join(import.meta.dir, '../docs/pictures') : (process.argv[2] ?? 'pictures')

mkdirSync(folder, { recursive: true })
const at = makeHome()
await using _daemon = await startDaemon(at)
await using browser = await startBrowser()
await call(at, 'demo.start')
await Bun.sleep(PLAYED_MS)
const changed = await until(async () => {
  for (const { key } of await call(at, 'sessions.list', { all: true }))
    if ((await call(at, 'sessions.files', { session: key })).length > 0) return key
  return undefined
}, 'a session that changed files')
const session = `/session/${encodeURIComponent(changed)}`
const views = isDocs
  ? { fleet: '/', session }
  : {
      ...{ fleet: '/', session, changes: `${session}/changes`, events: `${session}/events` },
      ...{ journal: '/journal', insights: '/insights', rules: '/rules', draft: '/rules/draft' },
      ...{ schema: '/schema', bus: '/bus', doctor: '/doctor' },
    }
for (const [name, to] of Object.entries(views))
  for (const dark of [false, true])
    for (const width of isDocs ? [1280] : WIDTHS) {
      if (isDocs && dark !== (name === 'session')) continue
      const { page, context } = await browser.open(at, { to, width, height: width === 375 ? 812 : 800, dark })
      await Bun.sleep(1_200)
      const file = isDocs ? `${name}.png` : `${name}-${width}-${dark ? 'dark' : 'light'}.png`
      await page.screenshot({ path: join(folder, file) })
      await context.close()
    }

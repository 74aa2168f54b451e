/** The site of the docs: every page is on it, no link or anchor leads nowhere. It takes a minute, so only the long tests build it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { ROOT } from './kit.ts'
import { isLong } from './long.ts'

const SITE = join(ROOT, 'dist/site')
const page = (name: string) => readFileSync(join(SITE, name), 'utf8')
const pages = () => [...new Bun.Glob('**/*.html').scanSync({ cwd: SITE })]

describe.if(isLong)('the site', () => {
  beforeAll(() => {
    const built = Bun.spawnSync([process.execPath, 'scripts/docs/site.ts'], { cwd: ROOT })
    if (!built.success) throw new Error(built.stdout.toString() + built.stderr.toString())
  }, 600_000)

  test('has every page of docs/', () => {
    for (const file of new Bun.Glob('docs/**/*.md').scanSync({ cwd: ROOT })) {
      const name = file
        .slice('docs/'.length)
        .replace(/README\.md$/, 'index.md')
        .replace(/md$/, 'html')
      expect(existsSync(join(SITE, name)), name).toBe(true)
    }
  })

  test('begins with what it is, one picture and sixty seconds', () => {
    const text = page('index.html')
    const [intro = '', picture = '', rest = ''] = text.split(/(<img[^>]*fleet[^>]*>)/)
    expect(intro).toContain('One local daemon for the hooks of every coding agent')
    expect(picture).not.toBe('')
    expect(rest.replaceAll(/<[^>]*>/g, '')).toContain('npm install -g gantry\ngantry install\n')
  })

  test('no link and no anchor leads nowhere', () => {
    let links = 0
    for (const from of pages().filter((name) => name !== '404.html')) {
      for (const [, href = ''] of page(from).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue
        const [path = '', anchor] = href.split('#')
        const to =
          path === '' ? from : path.startsWith('/') ? path.slice(1) : normalize(join(dirname(from), path))
        const file = to === '' || to.endsWith('/') ? `${to}index.html` : to.replace(/(\.html)?$/, '.html')
        expect(existsSync(join(SITE, file)), `${from} → ${href}`).toBe(true)
        if (anchor)
          expect(page(file).includes(`id="${decodeURIComponent(anchor)}"`), `${from} → ${href}`).toBe(true)
        links += 1
      }
    }
    expect(links).toBeGreaterThan(500)
  })

  test('can be searched, in the dark, too, and loads nothing from elsewhere', () => {
    const scripts = [...new Bun.Glob('assets/**/*.js').scanSync({ cwd: SITE })]
    expect(scripts.some((name) => name.includes('localSearchIndex'))).toBe(true)
    expect(page('index.html')).toContain('VPSwitchAppearance')
    for (const name of pages()) expect(page(name)).not.toMatch(/<(script|link|img)[^>]*(src|href)="https?:/)
  })
})

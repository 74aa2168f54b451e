/**
 * npm run docs:site [-- --base /gantry/]: dist/site, a static site of README.md and docs/, with search and a dark mode. VitePress
 * is installed once, into a cache of its own, as scripts/site/package-lock.json says. A dead link fails the build.
 *
 * To look at it: npx vite preview --outDir dist/site, or any server of files.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { parseArgs } from 'node:util'
import pkg from '../../package.json' with { type: 'json' }
import { cacheFolder, run } from '../packages/from-npm.ts'

const ROOT = join(import.meta.dir, '../..')
const OUT = join(ROOT, 'dist/site')
const MANIFESTS = ['package.json', 'package-lock.json'].map((name) => join(import.meta.dir, 'site', name))

/** Files outside of docs/ that are pages of the site, and their names there. README.md becomes the first page. */
const PAGES: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
}

const LINK = /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } })
const program = installed()
const source = mkdtempSync(join(cacheFolder(), 'site-'))
try {
  for (const file of pages()) put(siteName(file), onSite(file, readFileSync(join(ROOT, file), 'utf8')))
  put('index.md', firstPage())
  cpSync(join(ROOT, 'docs/pictures'), join(source, 'pictures'), { recursive: true })
  mkdirSync(join(source, '.vitepress'))
  writeFileSync(join(source, '.vitepress/config.mjs'), configFile())
  symlinkSync(join(program, 'node_modules'), join(source, 'node_modules'))
  rmSync(OUT, { recursive: true, force: true })
  run(['node', join(program, 'node_modules/vitepress/bin/vitepress.js'), 'build', source, '--outDir', OUT], {
    cwd: source,
  })
  console.log(`dist/site: ${pages().length} pages`)
} finally {
  rmSync(source, { recursive: true })
}

function put(name: string, text: string): void {
  mkdirSync(dirname(join(source, name)), { recursive: true })
  writeFileSync(join(source, name), text)
}

/** VitePress as the lock file says; a change of that file is another place. */
function installed(): string {
  const key = new Bun.CryptoHasher('sha256')
    .update(readFileSync(MANIFESTS[1] ?? ''))
    .digest('hex')
    .slice(0, 16)
  const place = join(cacheFolder(), `site-tools-${key}`)
  if (existsSync(place)) return place
  mkdirSync(cacheFolder(), { recursive: true })
  const fresh = mkdtempSync(join(cacheFolder(), '.installing-'))
  for (const file of MANIFESTS) copyFileSync(file, join(fresh, basename(file)))
  console.log('installing VitePress from npm')
  // Not `npm ci`, which refuses a lock file from a registry without the packages of other platforms.
  run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: fresh })
  renameSync(fresh, place)
  return place
}

/** Paths in the checkout. */
function pages(): string[] {
  const docs = [...new Bun.Glob('docs/**/*.md').scanSync({ cwd: ROOT })].sort()
  return [...Object.keys(PAGES), ...docs]
}

function siteName(file: string): string {
  return PAGES[file] ?? relative('docs', file).replace(/README\.md$/, 'index.md')
}

/** Links between pages lead to their place on the site. Links to other files, such as tests, become plain text. */
function onSite(file: string, text: string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(LINK, (_, ...found) => linked(file, found))))
    .join('')
}

function linked(file: string, [picture, text, target, anchor]: unknown[]): string {
  const path = normalize(join(dirname(file), String(target)))
  const isPage = pages().includes(path)
  if (!isPage && !path.startsWith('docs/pictures/')) return String(text)
  const name = isPage ? siteName(path) : relative('docs', path)
  const to = relative(dirname(siteName(file)), name)
  return `${picture}[${text}](${to.startsWith('.') ? to : `./${to}`}${anchor ?? ''})`
}

/** What it is, in one picture and sixty seconds; then the rest of the README without its screen of text. */
function firstPage(): string {
  const text = onSite('README.md', readFileSync(join(ROOT, 'README.md'), 'utf8'))
  const [head = '', ...parts] = text.split(/^(?=## )/m)
  const intro = head.split('\n```\n')[0] ?? ''
  const wanted = ['Sixty seconds', 'Uninstall', 'What next', 'What it promises']
  const chosen = wanted.flatMap((name) => parts.filter((part) => part.startsWith(`## ${name}\n`)))
  if (chosen.length < wanted.length) throw new Error(`README.md lacks one of: ${wanted.join(', ')}`)
  return [intro.trimEnd(), '![The fleet in a browser](./pictures/fleet.png)', ...chosen].join('\n\n')
}

/** Anchors are those of GitHub, for which the pages are written. */
function configFile(): string {
  const slugify = String.raw`(text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')`
  return `const config = ${JSON.stringify(config(), null, 2)}
config.markdown.anchor = { slugify: ${slugify} }
export default config
`
}

/** The groups of "Documentation" in the README are those of the site. */
function config(): object {
  const readme = onSite('README.md', readFileSync(join(ROOT, 'README.md'), 'utf8'))
  const [, list = ''] = readme.split('## Documentation\n')
  const groups = [...list.matchAll(/^- ([^:]+): (.*)$/gm)].map(([, text = '', links = '']) => ({
    text,
    items: [...links.matchAll(/\[([^\]]+)\]\(\.\/([^)]+)\.md\)/g)].map(([, name = '', path = '']) => ({
      text: name,
      link: `/${path.replace(/index$/, '')}`,
    })),
  }))
  return {
    title: 'gantry',
    description: pkg.description,
    base: values.base,
    cleanUrls: false,
    lastUpdated: false,
    // <name> in a sentence is a name, and {a, b} no list of attributes.
    markdown: { html: false, attrs: { disable: true } },
    themeConfig: {
      search: { provider: 'local' },
      outline: [2, 3],
      nav: [{ text: `gantry ${pkg.version}`, link: '/changelog' }],
      sidebar: groups,
    },
  }
}

/**
 * Builds dist/page.assets: everything a browser loads of the page, in one file. Part of `npm install` in a checkout, of `npm
 * start`, `npm test`, `npm pack` and `npm run build`, so that nobody gets an old page; nothing is bundled while gantry runs.
 *
 *   bun scripts/build-page.ts [--sizes]
 *
 * The file: one line of JSON, `{"files":{"<name>":{"type":"text/css","at":0,"bytes":120,"whole":300}}}`, then the bodies,
 * gzip'd, at these places after the line.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const WEB = join(ROOT, 'src/web')
export const PAGE_ASSETS = join(ROOT, 'dist/page.assets')

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

interface Built {
  readonly name: string
  readonly body: Uint8Array
}

/** Returns the files with their sizes, gzip'd. */
export async function buildPage(): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const built = await bundle()
  const draft = `${PAGE_ASSETS}.${process.pid}.tmp`
  const bodies = built.map(({ name, body }) => ({
    name,
    whole: body.length,
    zipped: Bun.gzipSync(new Uint8Array(body), { library: 'libdeflate', level: 12 }), // a twentieth less than zlib's best
  }))
  let at = 0
  const files: Record<string, { type: string; at: number; bytes: number; whole: number }> = {}
  for (const { name, whole, zipped } of bodies) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined)
      throw new Error(`the page has no content type for ${name}; see scripts/build-page.ts`)
    files[name] = { type, at, bytes: zipped.length, whole }
    at += zipped.length
  }
  mkdirSync(dirname(PAGE_ASSETS), { recursive: true })
  try {
    writeFileSync(
      draft,
      Buffer.concat([Buffer.from(`${JSON.stringify({ files })}\n`), ...bodies.map(({ zipped }) => zipped)]),
    )
    renameSync(draft, PAGE_ASSETS)
  } finally {
    rmSync(draft, { force: true })
  }
  return bodies.map(({ name, zipped }) => ({ name, bytes: zipped.length }))
}

/** What of the runtime a browser does not have. Bun would put replacements into the bundle without a word. */
const foreign: Bun.BunPlugin = {
  name: 'nothing of the runtime',
  setup(build) {
    build.onResolve({ filter: /^(node:|bun(:|$))/ }, ({ path, importer }) => {
      throw new Error(`${importer} imports ${path}, which no browser has`)
    })
  },
}

/** By its global name; `globalThis.Bun?.` is a question, not a use. */
const RUNTIME = /(?<![.\w$])Bun\./

async function bundle(): Promise<Built[]> {
  const output = await Bun.build({
    entrypoints: [join(WEB, 'main.tsx'), join(WEB, 'page.css')],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    publicPath: '/assets/',
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [foreign],
  })
  const files = await Promise.all(
    output.outputs.map(async (file) => ({
      name: basename(file.path),
      body: new Uint8Array(await file.arrayBuffer()),
    })),
  )
  const stray = files.find(
    ({ name, body }) => name.endsWith('.js') && RUNTIME.test(new TextDecoder().decode(body)),
  )
  if (stray) throw new Error(`${stray.name} of the page uses Bun, which no browser has`)
  const nameOf = (pattern: RegExp) => {
    const found = files.find(({ name }) => pattern.test(name))
    if (!found) throw new Error(`the bundle of the page has no file like ${pattern}`)
    return `/assets/${found.name}`
  }
  const html = readFileSync(join(WEB, 'index.html'), 'utf8')
    .replace('./page.css', nameOf(/^page-.*\.css$/))
    .replace('./main.tsx', nameOf(/^main-.*\.js$/))
    .replace(/>\s+</g, '><')
  return [{ name: 'index.html', body: Buffer.from(html) }, ...files]
}

if (import.meta.main) {
  // An install without development tools is fine; a package without its page is not.
  if (existsSync(join(ROOT, 'node_modules/react-dom'))) {
    const files = await buildPage()
    if (process.argv.includes('--sizes'))
      for (const { name, bytes } of files) console.log(`${(bytes / 1024).toFixed(1).padStart(7)} KB  ${name}`)
  } else {
    console.log('gantry: react-dom is not installed, so the page was not built. Run: npm install')
    process.exitCode = ['pack', 'publish'].includes(process.env.npm_command ?? '') ? 1 : 0
  }
}

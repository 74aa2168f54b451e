/**
 * THIRD-PARTY-NOTICES: what a platform's program carries that others wrote, each with the text of its licence, as those licences
 * ask. Made from the packages in node_modules, of which the program is bundled.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dir, '../..')

/** Bundled into the page, which is a part of the program. */
const OF_THE_PAGE: readonly string[] = ['@tanstack/react-virtual', 'highlight.js', 'react-dom', 'uplot']
const TEXTS = /^(licen[cs]e|copying|notice|authors|patents)/i
const LINE = '='.repeat(80)

/** Not from npm, or without a licence's text there. */
const OTHERS = `Bun, which the program is made with, is under the MIT licence and carries JavaScriptCore (LGPL-2) and other libraries;
their list and their licences are with Bun's sources: https://github.com/oven-sh/bun

The hook client for Linux carries musl, copyright 2005-2020 Rich Felker and others, under the MIT licence, whose words are
those in LICENSE.
`

interface Carried {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly home: string
  readonly texts: readonly string[]
}

export function noticesText(): string {
  const byText = Map.groupBy(
    carried(),
    ({ texts }) => texts.join('\n\n') || 'Its package has no text of the licence.',
  )
  const parts = [...byText].map(([text, all]) => {
    const names = all.map(({ name, version, license, home }) =>
      `${name} ${version} (${license}) ${home}`.trim(),
    )
    return `${LINE}\n${[...new Set(names)].join('\n')}\n\n${text}`
  })
  return [
    'gantry carries the following. Each is the work of its authors, under its own licence.',
    OTHERS,
    ...parts,
    '',
  ].join('\n\n')
}

/** The notices of the program's dependencies, direct and indirect, by name. */
export function carried(): Carried[] {
  const found = new Map<string, Carried>()
  const wanted = [...Object.keys(pkg.dependencies).filter((name) => name !== 'bun'), ...OF_THE_PAGE].map(
    (name) => ({
      name,
      from: ROOT,
    }),
  )
  for (let next = wanted.pop(); next; next = wanted.pop()) {
    const dir = folderOf(next.name, next.from)
    if (dir === undefined || found.has(dir)) continue // an optional one that is not for this machine
    const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
    const { name, version, license = 'licence not named', homepage = '' } = manifest
    found.set(dir, { name, version, license, home: homepage, texts: textsIn(dir) })
    const { dependencies, optionalDependencies, peerDependencies } = manifest
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      if (!one.startsWith('@types/') && one !== 'typescript') wanted.push({ name: one, from: dir })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly homepage?: string
  readonly dependencies?: object
  readonly optionalDependencies?: object
  readonly peerDependencies?: object
}

/** As Node finds a package: beside the one that wants it, or further out. */
function folderOf(name: string, from: string): string | undefined {
  for (let dir = from; dir.startsWith(ROOT); dir = join(dir, '..')) {
    const found = join(dir, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  return undefined
}

function textsIn(dir: string): string[] {
  const names = readdirSync(dir, { withFileTypes: true }).filter(
    (one) => one.isFile() && TEXTS.test(one.name),
  )
  return names.map(({ name }) => readFileSync(join(dir, name), 'utf8').trim()).sort()
}

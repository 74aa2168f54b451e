/** The files of the page, from dist/page.assets (see scripts/build-page.ts) or from inside the one binary. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedPath } from '../../core/processes/embedded.ts'
import { isCompiled, ROOT } from '../../core/processes/self.ts'

export interface Asset {
  readonly type: string
  /** gzip'd, as nearly every browser takes it. */
  readonly zipped: Uint8Array<ArrayBuffer>
}

interface Index {
  readonly files: Readonly<
    Record<string, { readonly type: string; readonly at: number; readonly bytes: number }>
  >
}

const FILE = join(ROOT, 'dist/page.assets')
const EMBEDDED = /(^|\/)page[^/]*\.assets$/
const LINE_END = 10

export class Assets {
  #files: ReadonlyMap<string, Asset> = new Map()
  /** Which file was read, so that a page that was built anew is read anew. */
  #read = ''

  /** Undefined if there is no such file, or no page at all. */
  get(name: string): Asset | undefined {
    this.#load()
    return this.#files.get(name)
  }

  /** The path of the style sheet, for pages without script. */
  css(): string | undefined {
    this.#load()
    const name = [...this.#files.keys()].find((one) => one.startsWith('page-') && one.endsWith('.css'))
    return name === undefined ? undefined : `/assets/${name}`
  }

  #load(): void {
    const which = isCompiled() ? 'embedded' : stamp()
    if (which === this.#read) return
    const bytes = read(isCompiled() ? embeddedPath(EMBEDDED) : FILE)
    this.#files = bytes ? filesOf(bytes) : new Map()
    this.#read = which
  }
}

/** Whether this gantry has its page. */
export function hasPage(): boolean {
  return isCompiled() ? embeddedPath(EMBEDDED) !== undefined : stamp() !== ''
}

function stamp(): string {
  const found = statSync(FILE, { throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : ''
}

function read(path: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  try {
    return path === undefined ? undefined : new Uint8Array(readFileSync(path))
  } catch {
    return undefined
  }
}

function filesOf(bytes: Uint8Array<ArrayBuffer>): Map<string, Asset> {
  const end = bytes.indexOf(LINE_END)
  const { files } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Index
  return new Map(
    Object.entries(files).map(([name, { type, at, bytes: length }]) => {
      const from = end + 1 + at
      return [name, { type, zipped: bytes.slice(from, from + length) }]
    }),
  )
}

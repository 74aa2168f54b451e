/** The files of the page, from dist/page.assets (see scripts/build-page.ts) or from inside the one binary. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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
  async get(name: string): Promise<Asset | undefined> {
    await this.#load()
    return this.#files.get(name)
  }

  /** The path of the style sheet, for pages without script. */
  async css(): Promise<string | undefined> {
    await this.#load()
    const name = [...this.#files.keys()].find((one) => one.startsWith('page-') && one.endsWith('.css'))
    return name === undefined ? undefined : `/assets/${name}`
  }

  async #load(): Promise<void> {
    const which = isCompiled() ? 'embedded' : stamp()
    if (which === this.#read) return
    const bytes = isCompiled() ? await embedded() : read()
    this.#files = bytes ? filesOf(bytes) : new Map()
    this.#read = which
  }
}

/** Whether this gantry has its page. */
export function hasPage(): boolean {
  return isCompiled() ? embeddedFile() !== undefined : stamp() !== ''
}

function stamp(): string {
  const found = statSync(FILE, { throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : ''
}

function read(): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(FILE))
  } catch {
    return undefined
  }
}

function embeddedFile(): Blob | undefined {
  return Bun.embeddedFiles.find((file) =>
    EMBEDDED.test((file as Blob & { readonly name?: string }).name ?? ''),
  )
}

async function embedded(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = embeddedFile()
  return file && new Uint8Array(await file.arrayBuffer())
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

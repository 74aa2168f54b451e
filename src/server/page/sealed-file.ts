/**
 * A small file that counts only as this daemon wrote it: sealed with the approval key, so that whoever can write a file still
 * lets no browser in.
 */
import { sameText } from '../../bus/index.ts'
import { proofOver } from '../../client/approvals.ts'
import { writeAtomic } from '../../core/files/private-files.ts'
import { readOwn } from '../../core/files/small-file.ts'
import { isObject } from '../../core/is-object.ts'
import { jsonIn } from '../../core/json.ts'

const MAX_BYTES = 128 * 1024

export class SealedFile {
  readonly #path: string
  readonly #key: () => string

  constructor(path: string, key: () => string) {
    this.#path = path
    this.#key = key
  }

  /** Undefined if it is missing, or somebody else wrote it. */
  read(): unknown {
    const file = jsonIn(readOwn(this.#path, MAX_BYTES))
    if (!isObject(file) || typeof file.text !== 'string' || typeof file.seal !== 'string') return undefined
    return sameText(file.seal, this.#sealOf(file.text)) ? jsonIn(file.text) : undefined
  }

  write(value: unknown): void {
    const text = JSON.stringify(value)
    writeAtomic(this.#path, `${JSON.stringify({ text, seal: this.#sealOf(text) })}\n`)
  }

  /** The name is part of it: one file must not stand in for another. */
  #sealOf(text: string): string {
    return proofOver(this.#key(), ['page', this.#path.split('/').at(-1) ?? '', text])
  }
}

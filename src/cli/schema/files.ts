/** Baseline files: one baseline, or a list of them. */
import { readFileSync, statSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { parseBaseline } from '../../insight/schema/index.ts'
import type { Baseline } from '../../rpc/index.ts'
import { usageError } from '../framework/usage.ts'

const MAX_FILE_BYTES = 16 * 1024 * 1024 // the largest there is has 50 KB

export function readBaselines(file: string): Baseline[] {
  let value: unknown
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new Error('it is over 16 MB')
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    const fix = 'Make one with: gantry schema baseline --out <file>'
    throw usageError(`${file} is not a baseline: ${messageOf(cause)}. ${fix}`, { cause })
  }
  return (Array.isArray(value) ? value : [value]).map((one) => parseBaseline(one, file))
}

/**
 * Rows by the keys that people type: an entry of a list goes by its name, as `config set` takes it, or by its index.
 *
 *   rowsAt(rows, 'notify.channels.phone')   // those of notify.channels.0
 */
import type { ConfigRow } from '../../rpc/index.ts'

/** A key for each row: `notify.channels.phone.after_s`. */
export function namedKeys(rows: readonly ConfigRow[]): string[] {
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return rows.map(({ key }) => {
    const steps = key.split('.')
    const named = steps.map((step, i) => {
      const name = /^\d+$/.test(step) ? values.get(`${steps.slice(0, i + 1).join('.')}.name`) : undefined
      return typeof name === 'string' ? name : step
    })
    return named.join('.')
  })
}

/** The row of a key, or all rows of a table. */
export function rowsAt(rows: readonly ConfigRow[], key: string): ConfigRow[] {
  const isAt = (one = '') => one === key || one.startsWith(`${key}.`)
  const named = namedKeys(rows)
  return rows.filter((row, i) => isAt(row.key) || isAt(named[i]))
}

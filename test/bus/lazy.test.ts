/** Who does not use NATS does not pay for it: its packages are loaded by a plan that needs them, not by a start. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ROOT } from '../kit.ts'

/** Everything that is loaded when this file is, without what is imported later or for its types. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, names = '', from = ''] of text.matchAll(/^(?:import|export) ([^'"]*?)from '([^']+)'/gms)) {
    const parts = names.replace(/[{}\s]+/g, ' ').split(',')
    const onlyTypes =
      names.startsWith('type ') || parts.every((part) => part.trim() === '' || /^\s*type /.test(part))
    if (onlyTypes) continue
    if (from.startsWith('.')) loaded(resolve(dirname(file), from), seen)
    else seen.add(from)
  }
  return seen
}

test('the daemon starts without the packages of NATS', () => {
  const all = [...loaded(join(ROOT, 'src/daemon/index.ts'))]
  expect(all).toContain(join(ROOT, 'src/bus/nats-bus.ts'))
  expect(all.filter((one) => one.startsWith('@nats-io/'))).toEqual([])
  expect(
    [...loaded(join(ROOT, 'src/bus/nats-run.ts'))].filter((one) => one.startsWith('@nats-io/')),
  ).not.toEqual([])
})

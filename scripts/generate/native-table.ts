/**
 * Part of npm run docs: generates native/tables.gen.h, the numbers and names that the native client shares with the
 * TypeScript one.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as hook from '../../src/client/hook.ts'
import * as kept from '../../src/client/kept-environment.ts'
import * as spool from '../../src/client/spool.ts'
import * as wire from '../../src/client/wire.ts'

const ROOT = join(import.meta.dir, '../..')
const COLUMNS = 110

/** Path in the checkout → text. */
export function nativeTable(): Record<string, string> {
  const numbers = Object.entries({ ...wire, ...hook, ...spool, ...kept }).flatMap(([name, value]) =>
    typeof value === 'number' ? [`#define ${name} ${name.endsWith('_MODE') ? octal(value) : value}`] : [],
  )
  const keptBeside = kept.OWNERS_ENV.filter((name) => !(kept.DAEMON_ENV as readonly string[]).includes(name))
  const text = [
    '/* Made by "npm run docs" from src/client and the agents\' records. Edit those. */',
    ...numbers,
    `#define DAEMON_PATH "${kept.DAEMON_PATH}"`,
    listInC('ENV_ALLOW_LIST', wire.ENV_ALLOW_LIST),
    listInC('DECIDERS', [...wire.DECIDERS]),
    listInC('DAEMON_ENV', kept.DAEMON_ENV),
    '/* Kept in addition: OWNERS_ENV of the TypeScript client. */',
    listInC('KEPT_ENV', [...keptBeside, 'GANTRY_HOME']),
    '',
  ]
  return { 'native/tables.gen.h': text.join('\n') }
}

function octal(value: number): string {
  return `0${value.toString(8)}`
}

function listInC(name: string, values: readonly string[]): string {
  const lines = ['   ']
  for (const value of values) {
    const word = ` "${value}",`
    const fits = `${lines.at(-1)}${word}`.length <= COLUMNS
    if (fits) lines.push(`${lines.pop()}${word}`)
    else lines.push(`   ${word}`)
  }
  return [`static const char *const ${name}[] = {`, ...lines, '};'].join('\n')
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(nativeTable())) writeFileSync(join(ROOT, file), text)
}

/** Every key of the configuration in force, its value and its origin. Secrets are not shown. */
import { shownUrl } from '../../bus/index.ts'
import { isObject } from '../../core/is-object.ts'
import type { ConfigRow } from '../../rpc/index.ts'
import type { Config } from './config.ts'
import { parseToml, tomlPlaces } from './toml-places.ts'

/** Variables that override the file; the first one set wins. */
const OVERRIDES: Readonly<Record<string, readonly string[]>> = {
  'nats.mode': ['GANTRY_NATS'],
  'nats.url': ['COOP_NATS_URL', 'BD_NATS_URL'],
  'nats.port': ['BD_NATS_PORT'],
  'nats.token': ['BD_DAEMON_TOKEN'],
}
const SECRETS: ReadonlySet<string> = new Set(['token', 'password', 'secret', 'topic', 'chat_id'])
const HIDDEN = '(set, not shown)'

export function configRows(
  config: Config,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): ConfigRow[] {
  const lines = new Map(tomlPlaces(parseToml(text)).map(({ path, line }) => [path.join('.'), line]))
  return flat([], config).map(([path, value]) => {
    const key = path.join('.')
    const variable = OVERRIDES[key]?.find((name) => env[name])
    const said = variable === undefined ? value : env[variable]
    const line = lines.get(key)
    const from = variable ?? (line === undefined ? 'default' : `gantry.toml:${line}`)
    return { key, value: shown(path.at(-1) ?? '', said), from }
  })
}

/** The variables that these rows are from, which go before the file. */
export function overridesOf(rows: readonly ConfigRow[]): string[] {
  return rows.flatMap(({ key, from }) => (OVERRIDES[key]?.includes(from) ? [from] : []))
}

function flat(path: readonly string[], value: unknown): [readonly string[], unknown][] {
  const isList = Array.isArray(value) && value.some((one) => typeof one === 'object')
  if (!isList && !isObject(value)) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => flat([...path, name], inner))
}

/** Of an address only the host: a path may be a secret, and a user name comes with a password. */
function shown(name: string, value: unknown): unknown {
  if (value === '' || typeof value !== 'string') return SECRETS.has(name) && value !== '' ? HIDDEN : value
  if (SECRETS.has(name)) return HIDDEN
  if (name !== 'url') return value
  return value
    .split(',')
    .map((one) => (URL.canParse(one.trim()) ? addressOf(one.trim()) : HIDDEN))
    .join(',')
}

function addressOf(text: string): string {
  const { protocol, host } = new URL(text)
  return protocol.startsWith('http') ? shownUrl(text) : `${protocol}//${host}`
}

/** Generates pages (commands, configuration, calls, events, wiring, …) and passages of others. */
import { z } from 'zod'
import { agents, PRICES, type Price } from '../../src/agents/index.ts'
import { VISIBLE_COMMANDS } from '../../src/cli/commands.ts'
import { COMMON_OPTIONS } from '../../src/cli/framework/define.ts'
import { helpOf } from '../../src/cli/framework/help.ts'
import { configSchema } from '../../src/daemon/config/schema.ts'
import { rulesJsonSchema } from '../../src/decisions/rules/index.ts'
import { EVENT_TYPES, RAISED } from '../../src/events/index.ts'
import { CALLS } from '../../src/rpc/calls/index.ts'
import { dialectPage } from './dialects.ts'
import { pagesWithPassages } from './passages.ts'
import { sqlPage } from './sql.ts'
import { truthPage } from './truth.ts'
import { verdictPage } from './verdicts.ts'

const NOTE = '<!-- Made by "npm run docs". Edit the code, not this page. -->\n'

export async function generatedDocs(): Promise<Record<string, string>> {
  return {
    ...pagesWithPassages(),
    'docs/commands.md': commands(),
    'docs/config.md': config(),
    'docs/calls.md': calls(),
    'src/rpc/guarded.gen.ts': guardedCalls(),
    'docs/events.md': events(),
    'docs/wiring.md': wiring(),
    'docs/prices.md': pricePage(NOTE),
    'docs/verdicts.md': verdictPage(NOTE),
    'docs/dialects.md': dialectPage(NOTE),
    'docs/sql.md': sqlPage(NOTE),
    'docs/rules.schema.json': `${JSON.stringify(await rulesJsonSchema(), null, 2)}\n`,
    'docs/truth.md': truthPage('<!-- Made by "npm run test:agents -- truth --write". -->\n'),
  }
}

function commands(): string {
  const parts = [NOTE, '# Commands\n']
  parts.push(
    `Every command takes ${Object.keys(COMMON_OPTIONS)
      .map((name) => `\`--${name}\``)
      .join(', ')}. `,
  )
  parts.push(
    'Exit codes: 0 done, 1 failed, 2 wrong usage; the hook client and `bus emit` have their own, see [hooks](hooks.md) and [handlers](handlers.md).\n',
  )
  for (const command of VISIBLE_COMMANDS)
    parts.push(`\n## gantry ${command.name}\n\n\`\`\`\n${helpOf(command).trimEnd()}\n\`\`\`\n`)
  return parts.join('\n')
}

function config(): string {
  const rows = Object.entries(configSchema().shape).flatMap(([section, schema]) => {
    const { name, shape } = tableOf(section, (schema as unknown as { unwrap(): z.ZodType }).unwrap())
    return Object.entries(shape).flatMap(([key, value]) => configRows(`${name}.${key}`, value as z.ZodType))
  })
  return [
    NOTE,
    '# Configuration\n',
    '`gantry.toml` is in the config folder, which `gantry config path` prints: `$GANTRY_HOME/config` if that is set, else',
    '`$XDG_CONFIG_HOME/gantry`, else `~/.config/gantry`; rules are in `rules/` there. Every key is optional. The daemon reloads',
    'the file by itself. A mistake leaves the last good configuration in force; every command that shows the configuration then',
    'names file, line and key, and exits 1. `webhooks[]` and `notify.channels[]` are lists of tables, written `[[webhooks]]`;',
    '`inbound.<name>` and `work.skills.<name>` are tables, one per name.\n',
    '```sh',
    'gantry config check                   # file, line and key of every mistake, rules included; needs no daemon',
    'gantry config show nats               # the values in force, each with its line, variable or default',
    'gantry config set http.port 4600      # checked before it is written; comments and everything else stay',
    'gantry config edit                    # in $VISUAL or $EDITOR, checked afterwards',
    '```\n',
    '| key | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** One row, or the rows of the tables in a list: `[[notify.channels]]`. */
function configRows(name: string, value: z.ZodType): string[] {
  const list = value instanceof z.ZodDefault ? value.unwrap() : value
  if (list instanceof z.ZodArray && list.element instanceof z.ZodObject)
    return Object.entries(list.element.shape).flatMap(([key, one]) =>
      configRows(`${name}[].${key}`, one as z.ZodType),
    )
  if (list instanceof z.ZodRecord && list.valueType instanceof z.ZodObject)
    return Object.entries(list.valueType.shape).flatMap(([key, one]) =>
      configRows(`${name}.<name>.${key}`, one as z.ZodType),
    )
  const { success, data } = value.safeParse(undefined)
  const fallback = success ? `\`${JSON.stringify(data)}\`` : 'needed'
  return [`| \`${name}\` | ${fallback} | ${value.description ?? ''} |`]
}

/** `[section]`, each `[[section]]`, or each `[section.<name>]`. */
function tableOf(section: string, schema: z.ZodType): { name: string; shape: z.ZodObject['shape'] } {
  if (schema instanceof z.ZodArray)
    return { name: `${section}[]`, shape: (schema.element as z.ZodObject).shape }
  if (schema instanceof z.ZodRecord)
    return { name: `${section}.<name>`, shape: (schema.valueType as z.ZodObject).shape }
  return { name: section, shape: (schema as z.ZodObject).shape }
}

function calls(): string {
  const rows = Object.entries(CALLS).map(([name, { summary, example, args }]) => {
    const { properties } = z.toJSONSchema(args, { io: 'input' }) as { properties?: object }
    const keys = Object.keys(properties ?? example) // a payload has whatever its agent sends
    return `| \`${name}\` | ${summary} | ${keys.map((key) => `\`${key}\``).join(', ') || 'none'} | \`gantry rpc ${name} '${JSON.stringify(example)}'\` |`
  })
  return [
    NOTE,
    '# Calls\n',
    'One JSON line on the socket, one JSON line back: `{"cmd":"status","args":{}}` gives `{"ok":true,"data":…}`, or',
    '`{"ok":false,"error":"UNKNOWN_COMMAND","message":…}`.\n',
    '| call | does | arguments | example |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Needed before the definitions are loaded. */
function guardedCalls(): string {
  const names = Object.entries(CALLS).flatMap(([name, { guarded }]) => (guarded ? [name] : []))
  return [
    '/** Made by "npm run docs" from the definitions in calls/. Edit those. */',
    `export const GUARDED_CALLS: ReadonlySet<string> = new Set(${JSON.stringify(names, null, 2)})`,
    '',
  ].join('\n')
}

function events(): string {
  const list = [...agents.values()]
  const nativeNames = (type: string) => (agent: (typeof list)[number]) =>
    Object.entries(agent.events)
      .filter(([, event]) => event.type === type)
      .map(([native]) => (native === type ? '=' : native))
      .join(', ') || '–'
  const types = new Set<string>([
    ...EVENT_TYPES,
    ...list.flatMap((a) => Object.values(a.events).map((e) => e.type)),
  ])
  const rows = [...types].map((type) => `| ${type} | ${list.map(nativeNames(type)).join(' | ')} |`)
  return [
    NOTE,
    '# Events\n',
    'The canonical type of every native event of every agent; `=` means that the agent uses the same name. Unlisted events are',
    'stored under their native name, published, and reported as drift.\n',
    `| type | ${list.map((agent) => agent.id).join(' | ')} |`,
    `|---|${list.map(() => '---|').join('')}`,
    ...rows,
    '',
    'A `Notification` of Gemini CLI with the type `ToolPermission` corresponds to the `PermissionRequest` of other agents. It stays',
    'a `Notification` in the journal and on the bus, and its session is blocked on a permission.\n',
    "## gantry's own\n",
    'Events that gantry raises itself, with the agent `gantry`. They are in the journal and on the stream `GANTRY_EVENTS` under',
    '`gantry.<type>`, but not on `hooks.>`.\n',
    '| type | meaning |',
    '|---|---|',
    ...Object.entries(RAISED).map(([name, { means }]) => `| ${name} | ${means} |`),
    '',
  ].join('\n')
}

function wiring(): string {
  const sections = [...agents.values()].flatMap(({ settings }) => {
    if (!settings) return []
    const { title, versions, hooks } = settings
    const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
    const usual = hooks.filter(({ off, never }) => off === undefined && never === undefined)
    const floors = versions.map((version) => {
      const own = usual.filter(({ since }) => since === version).map(({ event }) => event)
      return `- since ${version} (${own.length}): ${list(own)}`
    })
    const others = hooks.flatMap(({ event, off, never }) => {
      if (never) return [`- never \`${event}\`: ${never}`]
      return off ? [`- with \`--with ${event}\`: ${off}`] : []
    })
    return [`## ${title}\n`, ...floors, ...others, '']
  })
  return [
    NOTE,
    '# Wiring\n',
    'The events that `gantry install` wires, by the oldest version of the agent they were seen on, and those it leaves',
    'out. Older versions get what the oldest known one has, newer versions what the newest known one has; see',
    '[install](install.md).\n',
    ...sections,
  ].join('\n')
}

function pricePage(note: string): string {
  const rows = PRICES.flatMap(({ provider, asOf, source, prices }) =>
    prices.flatMap((price) =>
      rowsOf(price).map((cells) => `| ${[...cells, `[${provider} ${asOf}](${source})`].join(' | ')} |`),
    ),
  )
  return [
    note,
    '# Prices\n',
    'US dollars per million tokens, as listed by the providers at the time, without discounts, subscriptions, batches and',
    'faster tiers. For a model that is not listed here, gantry counts tokens but no cost. If an agent reports its own cost,',
    'gantry shows that.\n',
    '| model | input | output | cache read | written, 5 min | written, 1 h | source |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function rowsOf(price: Price): string[][] {
  const names = price.models.map((model) => `\`${model}\``).join(', ')
  const until = price.until === undefined ? '' : `, until ${price.until}`
  const short = [`${names}${until}`, ...ratesOf(price)]
  if (!price.long) return [short]
  return [
    short,
    [`${names}, prompts above ${price.long.aboveTokens.toLocaleString('en')} tokens`, ...ratesOf(price.long)],
  ]
}

function ratesOf({
  input,
  output,
  cacheRead,
  cacheWrite5m = input,
  cacheWrite1h = input,
}: Omit<Price, 'models'>): string[] {
  return [input, output, cacheRead, cacheWrite5m, cacheWrite1h].map((rate) => String(rate))
}

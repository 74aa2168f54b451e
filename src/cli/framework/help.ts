/** Usage and help of a command, made of its definition. */
import { type Argument, COMMON_OPTIONS, type Definition, type Option } from './define.ts'
import { wordOf } from './kinds.ts'

/** `gantry bus register --id <id> [options]`. */
export function usageOf({ name, args = [], options = {}, oneOf, passesOn }: Definition): string {
  const needed = Object.entries(options).flatMap(([option, one]) =>
    one.kind !== 'flag' && one.required ? [flagWords(option, one)] : [],
  )
  const either = oneOf?.names.flatMap((option) =>
    options[option] ? [flagWords(option, options[option])] : [],
  )
  const shown = needed.length + (oneOf?.required ? oneOf.names.length : 0)
  return [
    'gantry',
    name,
    ...needed,
    ...(either && oneOf?.required ? [either.join(' | ')] : []),
    ...(Object.keys(options).length > shown ? ['[options]'] : []),
    ...(passesOn ? ['[--]'] : []),
    ...args.map(argumentWords),
  ].join(' ')
}

function argumentWords({ name, value, choices, required, many }: Argument): string {
  const word = choices?.join('|') ?? value ?? name
  if (!required) return `[${word}${many ? '…' : ''}]`
  return `${choices ? word : `<${word}>`}${many ? '…' : ''}`
}

/** `--limit <n>` */
function flagWords(name: string, option: Option): string {
  return `--${name}${option.kind === 'flag' ? '' : ` <${wordOf(option)}>`}`
}

/** The help of an option, with what its definition says of its value. */
export function helpText(option: Option): string {
  if (option.kind === 'flag') return option.help
  const facts = [
    option.choices?.join(', '),
    option.default === undefined || option.default === '' ? undefined : `default ${option.default}`,
    option.most === undefined ? undefined : `up to ${option.most}`,
    ...Object.keys(option.also ?? {}).map((word) => `or "${word}"`),
    option.multiple ? 'may be repeated' : undefined,
  ].filter((fact) => fact !== undefined)
  return facts.length === 0 ? option.help : `${option.help} (${facts.join(', ')})`
}

/** `row` puts a text beside or below its head; on a terminal, so that no word breaks. */
export function helpOf(command: Definition, row = (head: string, text: string) => head + text): string {
  const rows = Object.entries<Option>({ ...command.options, ...COMMON_OPTIONS }).map(
    ([name, option]) =>
      [
        `${option.short ? `-${option.short}, ` : '    '}${flagWords(name, option)}`,
        helpText(option),
      ] as const,
  )
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return [
    `gantry ${command.name} · ${command.summary}`,
    '',
    `Usage: ${usageOf(command)}`,
    '',
    ...rows.map(([left, right]) => row(`  ${left.padEnd(width)}`, right)),
    '',
    'Examples:',
    ...Object.entries(command.examples ?? {}).flatMap(([line, does]) => [`  ${line}`, row('      ', does)]),
    '',
  ].join('\n')
}

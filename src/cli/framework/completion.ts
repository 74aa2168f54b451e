/** What may come next on a command line, by the definitions of the commands. */
import { COMMON_OPTIONS, type Command, type Option, type Value } from './define.ts'
import { helpText } from './help.ts'

/** A word and its meaning. */
export type Offer = readonly [word: string, about: string]

interface Expected {
  /** Words that are known here. */
  readonly words: readonly Offer[]
  /** A value, whose kind tells where its words come from. */
  readonly value?: Value
  /** What has been typed of it: in `--name=value` only the value. */
  readonly typed: string
  /** The command's arguments before it, without options. */
  readonly given?: readonly string[]
}

/** `words` follow `gantry`; the last one is being typed. */
export function expectedAfter(words: readonly string[], commands: readonly Command[]): Expected {
  const typed = words.at(-1) ?? ''
  const all = withoutCommon(words.slice(0, -1))
  const before = all[0] === 'help' ? all.slice(1) : all
  const [first, second] = before
  if (first === undefined) return { words: firstWords(commands), typed }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  const named = commands.find(({ name }) => name === `${first} ${second}`)
  const command = named ?? commands.find(({ name }) => name === first)
  const seconds =
    before.length > 1 || typed.startsWith('-')
      ? []
      : group.map(({ name, summary }): Offer => [name.split(' ')[1] ?? '', summary])
  if (command === undefined) return { words: seconds, typed }
  const expected = afterCommand(command, before.slice(command.name.split(' ').length), typed)
  return { ...expected, words: [...seconds, ...expected.words] }
}

function afterCommand(command: Command, before: readonly string[], typed: string): Expected {
  const options: Readonly<Record<string, Option>> = { ...command.options, ...COMMON_OPTIONS }
  const optionOf = (word: string | undefined) =>
    Object.entries(options).find(
      ([name, { short }]) => word === `--${name}` || (short && word === `-${short}`),
    )?.[1]
  const given: string[] = []
  let isOver = false // after "--", or in the command line of another program
  for (let i = 0; i < before.length; i++) {
    const option = isOver ? undefined : optionOf(before[i])
    if (before[i] === '--' && !isOver) isOver = true
    else if (option !== undefined && option.kind !== 'flag') {
      i += 1
      if (i === before.length) return { words: [], value: option, typed }
    } else if (isOver || !before[i]?.startsWith('-')) {
      given.push(before[i] ?? '')
      isOver ||= command.passesOn === true
    }
  }
  const [, name, text = ''] = /^(--[\w-]+)=(.*)$/s.exec(isOver ? '' : typed) ?? []
  const named = optionOf(name)
  if (named !== undefined)
    return { words: [], typed: text, ...(named.kind === 'flag' ? {} : { value: named }) }
  if (!isOver && typed.startsWith('-'))
    return { words: Object.entries(options).map(([one, option]) => [`--${one}`, helpText(option)]), typed }
  const args = command.args ?? []
  const value = args[given.length] ?? (args.at(-1)?.many ? args.at(-1) : undefined)
  return { words: [], typed, given, ...(value === undefined ? {} : { value }) }
}

/** `--home x` and `--verbose` may come first. */
function withoutCommon(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  if (first === '--home') return withoutCommon(words.slice(2))
  return first === '--verbose' || first.startsWith('--home=') ? withoutCommon(words.slice(1)) : words
}

function firstWords(commands: readonly Command[]): Offer[] {
  const groups = Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] ?? '',
  )
  const isAlone = (name: string) => commands.some((one) => one.name === name)
  return [
    ...commands.flatMap(({ name, summary }): Offer[] => (name.includes(' ') ? [] : [[name, summary]])),
    ...[...groups].flatMap(([name, all]): Offer[] =>
      isAlone(name) ? [] : [[name, all.map((one) => one.name.split(' ')[1]).join(', ')]],
    ),
    ['help', 'Show all commands'],
  ]
}

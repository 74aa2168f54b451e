/** Parses other programs' command lines by a table of their options. */

/** `optional` takes the next argument unless it starts with a dash; `many` takes all up to the next that does. */
type Arity = 'none' | 'one' | 'optional' | 'many'

export type Arities = Readonly<Record<string, Arity>>

export type Argument =
  | {
      readonly kind: 'option'
      readonly name: string
      readonly values: readonly string[]
      readonly text: readonly string[]
    }
  | { readonly kind: 'word'; readonly text: readonly [string] }

/** An unknown option is assumed to take a value: keeping one too many does less harm. */
const UNKNOWN: Arity = 'optional'

export function readArguments(args: readonly string[], arities: Arities): Argument[] {
  const found: Argument[] = []
  for (let at = 0; at < args.length; ) {
    const arg = args[at] ?? ''
    if (arg === '--') return [...found, ...args.slice(at + 1).map(word)]
    if (!arg.startsWith('-') || arg === '-') {
      found.push(word(arg))
      at += 1
      continue
    }
    const { options, open } = arg.startsWith('--') ? longOption(arg) : shortOptions(arg, arities)
    const last = options.pop() ?? { name: arg, values: [], text: [arg] }
    const values = open ? valuesAfter(args, at + 1, arities[last.name] ?? UNKNOWN) : last.values
    found.push(
      ...options.map(option),
      option({ ...last, values, text: [...last.text, ...(open ? values : [])] }),
    )
    at += 1 + (open ? values.length : 0)
  }
  return found
}

interface Read {
  readonly name: string
  readonly values: readonly string[]
  readonly text: readonly string[]
}

/** `open`: the option's value, if any, is the next argument. */
interface OptionsRead {
  readonly options: Read[]
  readonly open: boolean
}

function longOption(arg: string): OptionsRead {
  const equals = arg.indexOf('=')
  if (equals < 0) return { options: [{ name: arg, values: [], text: [arg] }], open: true }
  return {
    options: [{ name: arg.slice(0, equals), values: [arg.slice(equals + 1)], text: [arg] }],
    open: false,
  }
}

/** `-pc` is two options, `-mopus` is one with its value. */
function shortOptions(arg: string, arities: Arities): OptionsRead {
  const options: Read[] = []
  for (let at = 1; at < arg.length; at++) {
    const name = `-${arg[at]}`
    const rest = arg.slice(at + 1)
    if ((arities[name] ?? UNKNOWN) === 'none') options.push({ name, values: [], text: [name] })
    else if (rest === '') return { options: [...options, { name, values: [], text: [name] }], open: true }
    else return { options: [...options, { name, values: [rest], text: [`${name}${rest}`] }], open: false }
  }
  return { options, open: false }
}

function valuesAfter(args: readonly string[], from: number, arity: Arity): string[] {
  if (arity === 'none') return []
  if (arity === 'one') return args.slice(from, from + 1)
  const end = args.findIndex((arg, at) => at >= from && arg.startsWith('-') && arg !== '-')
  const values = args.slice(from, end < 0 ? undefined : end)
  return arity === 'many' ? values : values.slice(0, 1)
}

function word(text: string): Argument {
  return { kind: 'word', text: [text] }
}

function option(read: Read): Argument {
  return { kind: 'option', ...read }
}

/** What one command of a script does: its words, what it starts, what it prints, the function that it calls. */
import { ALIAS, builtin } from './builtins.ts'
import type { Assignment, Command, Word } from './command.ts'
import { type Context, type Done, MAX_DEPTH, withShared } from './context.ts'
import { type Expansion, expandWord } from './expansion/expand.ts'
import { assignmentOf, redirectsInput, redirectsOf, stdinOf } from './expansion/parts.ts'
import { outputOf } from './languages/output.ts'
import { WrittenFiles } from './languages/written-files.ts'
import { isArray, Scope, type Value } from './scope.ts'
import type * as syntax from './syntax.ts'
import type { Child } from './wrappers/child.ts'
import { commandsInVariables } from './wrappers/command-values.ts'
import { unwrap } from './wrappers/wrappers.ts'

/** The walk through the syntax, which a command comes out of, and which follows the text that it starts. */
export interface Walk {
  script(source: string, context: Context): Done
  node(node: syntax.CommandNode | syntax.CompoundList, context: Context): Done
  expansion(context: Context, parent?: number): Expansion
  readonly spend: (steps?: number) => void
  /** Stops following the script here. */
  stopsBefore(why: string): void
  /** Records that a function was called. */
  called(node: syntax.Function): void
}

export class Starter {
  readonly commands: (Command | undefined)[] = []
  readonly #files = new WrittenFiles(programOf)
  readonly #walk: Walk

  constructor(walk: Walk) {
    this.#walk = walk
  }

  /** `{ …; } > file`: the redirects belong to no program, so they are a command without one. */
  redirected(node: syntax.Redirected, context: Context): Done {
    const index = this.commands.push(undefined) - 1
    const redirects = redirectsOf(node.redirects, this.#walk.expansion(context, index))
    const command = this.#made({ argv: [], redirects }, context, [node.pos, node.end])
    this.commands[index] = command
    const { stdin } = command
    const done = this.#walk.node(node.command, withShared(stdin ? { ...context, stdin } : context))
    this.#files.add(command, done.output)
    return redirects.some(({ operator }) => operator.includes('>')) ? { index: done.index } : done
  }

  command(node: syntax.Command, context: Context): Done {
    const index = this.commands.push(undefined) - 1
    const to = this.#walk.expansion(context, index)
    const assignments: (Assignment & { values: Value })[] = []
    for (const one of node.prefix) {
      if (one.type !== 'Assignment') continue
      const set = assignmentOf(one, to)
      assignments.push(set)
      if (!node.name) context.scope.set(set.name, set.values)
    }
    const argv: Word[] = node.name ? expandWord(node.name, to) : []
    for (const one of node.args) {
      if (one.type === 'Assignment' || one.parts) this.#walk.spend()
      if (one.type === 'Word') argv.push(...expandWord(one, to))
      else {
        const hasBraces =
          one.value.type === 'Word' && one.value.parts?.some(({ type }) => type === 'BraceExpansion')
        const { name, value, values } = assignmentOf(one, to, hasBraces)
        if (DECLARES.has(argv[0]?.text ?? '')) this.#declare(argv[0]?.text ?? '', name, values, context)
        argv.push({ text: `${name}=${value.text}`, known: value.known })
      }
    }
    const redirects = redirectsOf(node.redirects, to)
    const span = [node.pos, node.end] as const
    const plain = assignments.map(({ name, value }) => ({ name, value }))
    if (argv.length > 0) return this.#start(index, { argv, assignments: plain, redirects }, context, span)
    if (node.name) for (const { name, values } of assignments) context.scope.set(name, values)
    const command = this.#made({ argv, assignments: plain, redirects }, context, span)
    this.commands[index] = command
    const isSure = !node.name && this.commands.length === index + 1
    for (const child of commandsInVariables(command.assignments))
      this.#child(child, command, { ...context, parent: index, span: context.span ?? span })
    return { index, isSure, output: { text: '', known: true } }
  }

  #declare(program: string, name: string, values: Value, { scope, locals }: Context): void {
    if (program !== 'export' && program !== 'readonly' && locals && !locals.has(name))
      locals.set(name, scope.get(name))
    scope.set(name, values)
  }

  /** A program starts: what it does to the shell, what it wraps, what it prints. */
  #start(
    index: number,
    parts: Pick<Command, 'argv' | 'assignments' | 'redirects'>,
    context: Context,
    span: readonly [number, number],
  ): Done {
    const command = this.#made(parts, context, span)
    this.#walk.spend(1 + (command.argv.length >> 4) + (lengthOf(command) >> 8))
    this.commands[index] = command
    let inside: Context = { ...context, parent: index, span: context.span ?? span }
    const isOwn = context.via !== 'wrapper'
    const name = command.argv[0]?.known ? command.argv[0].text : ''
    const called = isOwn && name ? context.scope.functionNamed(name) : undefined
    if (called) return this.#call(called, command, inside, index)
    builtin(command, context.scope, this.#walk.spend)
    const alias = isOwn && name ? context.scope.get(`${ALIAS}${name}`) : undefined
    const scope = new Scope(context.scope)
    for (const { name, value } of command.assignments) scope.set(name, value)
    const unwrapped = unwrap(command, {
      get: (name) => context.scope.get(name),
      set: (name, value) => context.scope.set(name, value),
      textOf: (file) => this.#files.textOf({ text: file, known: true }, command.cwd),
    })
    if (unwrapped.isTooMuch) this.#walk.stopsBefore(`${command.program} starts more than is followed`)
    if (unwrapped.code || unwrapped.cwd)
      this.commands[index] = {
        ...command,
        ...(unwrapped.code && { code: unwrapped.code }),
        ...(unwrapped.cwd && { cwd: below(command.cwd, unwrapped.cwd) }),
      }
    let output = outputOf(command, this.#walk.spend)
    const expanded = alias && !isArray(alias) && !context.calls.includes(name) ? aliased(alias, command) : []
    if (expanded.length > 0) inside = { ...inside, calls: [...inside.calls, name] }
    for (const child of [...expanded, ...unwrapped.children]) {
      const isSame = child.isSameShell && command.assignments.length === 0
      const done = this.#child(child, command, isSame ? inside : { ...inside, scope })
      if (child.passesOutput) output = done.output
    }
    this.#files.add(command, output)
    const printsElsewhere = command.redirects.some(
      ({ operator, fd }) => operator.includes('>') && (fd ?? 1) === 1,
    )
    return { index, output: printsElsewhere ? undefined : output, isSure: SURE.has(command.program) }
  }

  #child(child: Child, command: Command, context: Context): Done {
    const depth = context.depth + 1
    const isRemote = context.isRemote || child.isRemote === true
    const scope = child.isSameShell ? context.scope : new Scope(context.scope)
    if (child.cwd) scope.cwd = below(scope.cwd, child.cwd)
    if (isRemote && !context.isRemote) scope.cwd = child.cwd
    const inside: Context = {
      ...context,
      stdin: child.takesStdin ? command.stdin : undefined,
      pipedFrom: child.takesStdin ? command.pipedFrom : undefined,
      scope,
      depth,
      isRemote,
      via: child.script ? 'inline' : 'wrapper',
    }
    if (depth > MAX_DEPTH) {
      this.#walk.stopsBefore(`commands are wrapped in each other more than ${MAX_DEPTH} times`)
      return {}
    }
    if (child.script) {
      if (child.positional) scope.positional = child.positional
      if (child.zero) scope.set('0', child.zero)
      return this.#walk.script(child.script.text, inside)
    }
    if (!child.argv || child.argv.length === 0) return {}
    const index = this.commands.push(undefined) - 1
    const parts = { argv: child.argv, assignments: child.assignments ?? [], redirects: [] }
    const via = child.isCode ? 'inline' : 'wrapper'
    return this.#start(index, parts, { ...inside, via }, context.span ?? [0, 0])
  }

  #call(node: syntax.Function, command: Command, context: Context, index: number): Done {
    const name = node.name.value
    this.#walk.called(node)
    if (context.calls.includes(name)) return { index }
    this.#walk.spend(context.calls.length) // functions that call each other twice double their turns
    const { scope } = context
    const before = scope.positional
    const locals = new Map<string, Value | undefined>()
    for (const { name, value } of command.assignments)
      this.#declare('local', name, value, { ...context, locals })
    scope.positional = command.argv.slice(1)
    const input = {
      ...(command.stdin && { stdin: command.stdin }),
      ...(command.pipedFrom !== undefined && { pipedFrom: command.pipedFrom }),
    }
    const inside: Context = { ...context, ...input, via: 'function', locals, calls: [...context.calls, name] }
    const done = this.#walk.node(node.body, inside)
    scope.positional = before
    for (const [name, value] of locals) scope.restore(name, value)
    return { index: done.index ?? index, output: done.output }
  }

  #made(
    parts: Partial<Command> & Pick<Command, 'argv'>,
    context: Context,
    span: readonly [number, number],
  ): Command {
    const { cwd } = context.scope
    const { argv, redirects } = this.#files.withTexts(parts.argv, parts.redirects ?? [], cwd)
    const stdin = stdinOf(redirects) ?? (redirectsInput(redirects) ? undefined : context.stdin)
    return {
      argv,
      program: this.#files.copiedFrom(argv[0], cwd) ?? programOf(argv[0]),
      assignments: this.#files.withValues(parts.assignments ?? [], cwd),
      redirects,
      ...(stdin && { stdin }),
      ...(context.pipedFrom !== undefined && !redirectsInput(redirects) && { pipedFrom: context.pipedFrom }),
      ...(context.parent !== undefined && { parent: context.parent }),
      via: context.via,
      isRemote: context.isRemote,
      ...(cwd && { cwd }),
      span: context.span ?? span,
    }
  }
}

/** Characters of its words, of the files they name, and of its input: filters and guards go through all of them. */
function lengthOf({ argv, stdin }: Command): number {
  let length = stdin?.text.length ?? 0
  for (const { text, output } of argv) length += text.length + (output?.text.length ?? 0)
  return length
}

const DECLARES = new Set(['export', 'declare', 'local', 'readonly', 'typeset'])
/** They succeed, or nothing after them matters: a reader of `cd x && y=1` assumes that the folder is there. */
const SURE = new Set([
  ':',
  'true',
  'cd',
  'echo',
  'printf',
  'export',
  'set',
  'shopt',
  'declare',
  'local',
  'mkdir',
  'pushd',
])

/** `$(command -v rm)`: the name stands in it. */
const LOOKED_UP =
  /^(?:\$\(|`)\s{0,9}(?:which|command\s{1,9}-v|type\s{1,9}-[pP]|whence\s{1,9}-p|realpath|readlink\s{1,9}-f)\s{1,9}(?:(?:\$\(|`)\s{0,9}(?:which|command\s{1,9}-v)\s{1,9})?([\w./+-]{1,200})\s{0,9}[)`]{1,2}$/
/** The shell that runs the script itself. */
const THIS_SHELL =
  /^(?:\/proc\/(?:self|thread-self|\d{1,9}|\$\$)\/exe|\$(?:SHELL|BASH|\{SHELL\}|\{BASH\}|\{SHELL:-[^}]{0,40}\}))$/

/** The last part of the path, unless it has something in it that nobody knows. */
function programOf(word: Word | undefined): string {
  if (!word) return ''
  if (THIS_SHELL.test(word.text)) return 'bash'
  const found = word.known ? undefined : LOOKED_UP.exec(word.text)?.[1]
  if (found !== undefined) return found.slice(found.lastIndexOf('/') + 1)
  const last = word.text.slice(word.text.lastIndexOf('/') + 1)
  return word.known || !/[$`*?[\]{}()]/.test(last) ? last : ''
}

/** bash follows aliases only where a person types, zsh always. */
function aliased(alias: Word, { argv }: Command): Child[] {
  const script = { text: `${alias.text} "$@"`, known: alias.known }
  return [{ script, positional: argv.slice(1), isSameShell: true, takesStdin: true }]
}

/** A folder seen from another. */
function below(from: Word | undefined, to: Word): Word {
  if (!from || /^[/~$]/.test(to.text)) return to
  return { text: `${from.text}/${to.text}`, known: from.known && to.known }
}

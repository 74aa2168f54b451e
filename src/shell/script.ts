/**
 * A script as the list of commands that it would start. It is walked as a shell would run it: variables, functions and the
 * folder are followed, of a branch every side is taken, wrappers are unwrapped. Nothing is run and no file is read.
 */
import { arithmetic } from './arithmetic.ts'
import { ALIAS, builtin } from './builtins.ts'
import { changesIn } from './changes.ts'
import type { Assignment, Command, Script, Word } from './command.ts'
import { MAX_SOURCE, tooComplex } from './complexity.ts'
import { type Expansion, expandText, expandWord } from './expand.ts'
import { outputOf } from './output.ts'
import { assignmentOf, both, redirectsInput, redirectsOf, stdinOf } from './parts.ts'
import { isArray, Scope, type Value } from './scope.ts'
import type * as syntax from './syntax.ts'
import { parseSource } from './syntax.ts'
import { type Child, unwrap } from './wrappers.ts'

const MAX_DEPTH = 8 // wrappers and scripts inside each other
const MAX_STEPS = 4_000 // statements, words and lengths of text: what loops and functions multiply comes to an end
const STEPS_AFTER_ERROR = 1_000 // the tree is a guess from there on
const MAX_UNROLLED = 64 // words of a `for` that are followed one by one

export function parseScript(source: string): Script {
  const walk = new Walk()
  try {
    walk.script(source, { scope: new Scope(), via: 'script', isRemote: false, depth: 0, calls: [] })
    walk.uncalledFunctions()
  } catch (error) {
    if (!(error instanceof Stop) && !(error instanceof RangeError)) throw error
    walk.doubt(error instanceof Stop ? error.message : 'it is nested too deeply to be followed')
  }
  const { why } = walk
  const commands = walk.commands.filter((one) => one !== undefined)
  return why === undefined ? { commands, understood: true } : { commands, understood: false, why }
}

class Stop extends Error {}

interface Context {
  readonly scope: Scope
  readonly via: Command['via']
  readonly parent?: number
  readonly isRemote: boolean
  readonly depth: number
  /** The functions that are running: one that calls itself is followed once. */
  readonly calls: readonly string[]
  /** What the variables were that the running function declares for itself. */
  readonly locals?: Map<string, Value | undefined>
  readonly stdin?: Word
  readonly pipedFrom?: number
  /** Set inside of text whose positions are not those of the outermost script. */
  readonly span?: readonly [number, number]
}

/** What became of a node: what it prints, its last command, and whether it surely succeeds. */
interface Done {
  readonly output?: Word | undefined
  readonly index?: number | undefined
  readonly isSure?: boolean
}

class Walk {
  readonly commands: (Command | undefined)[] = []
  why: string | undefined
  #steps = 0
  readonly #functions = new Map<syntax.Function, Context>()
  readonly #called = new Set<syntax.Function>()

  doubt(why: string): void {
    this.why ??= why
  }

  script(source: string, context: Context): Done {
    if (context.depth > MAX_DEPTH) {
      this.doubt(`commands are wrapped in each other more than ${MAX_DEPTH} times`)
      return {}
    }
    if (source.length > MAX_SOURCE) {
      this.doubt(`it is longer than ${MAX_SOURCE / 1024} KB`)
      return {}
    }
    if (tooComplex(source)) {
      this.doubt('it has too many brackets for its length')
      return {}
    }
    if (context.depth > 0) this.#spend(4 + (source.length >> 5)) // a loop may have it parsed again and again
    return this.#parsed(parseSource(source), context)
  }

  /** A function that nobody called may still be called later, by a name that is not known here. */
  uncalledFunctions(): void {
    for (const [node, context] of this.#functions) {
      if (this.#called.has(node)) continue
      this.#called.add(node)
      const scope = new Scope(context.scope)
      scope.positional = undefined
      this.#node(node.body, { ...context, scope, via: 'function' })
    }
  }

  #parsed(tree: syntax.ParsedScript, context: Context): Done {
    const error = tree.errors?.[0]
    if (error) {
      this.doubt(`bash could not read it: ${error.message}`)
      this.#steps = Math.max(this.#steps, MAX_STEPS - STEPS_AFTER_ERROR)
    }
    return this.#list(tree.commands, context)
  }

  readonly #spend = (steps = 1): void => {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw new Stop('it has more steps than are followed')
  }

  #list(statements: readonly syntax.Statement[], context: Context): Done {
    let output: Word | undefined = { text: '', known: true }
    let done: Done = {}
    for (const { command, background } of statements) {
      this.#spend()
      const inside = background ? { ...context, scope: new Scope(context.scope) } : context
      done = command.type === 'AndOr' ? this.#andOr(command, inside) : this.#pipeline(command, inside)
      output = both(output, done.output)
    }
    return { ...done, output }
  }

  /** After `&&` the scope goes on if the left side surely succeeds; otherwise what is set behind it is only the best reading. */
  #andOr(node: syntax.AndOr, context: Context): Done {
    let branch: Scope | undefined
    let done: Done = {}
    for (const [i, command] of node.commands.entries()) {
      const operator = node.operators[i - 1]
      if (operator === '||' && branch) {
        context.scope.merge(branch)
        branch = undefined
      }
      if (operator && (operator === '||' || !done.isSure)) branch ??= new Scope(context.scope)
      done = this.#pipeline(command, branch ? { ...context, scope: branch } : context)
    }
    if (branch) context.scope.merge(branch)
    return { index: done.index, output: node.commands.length === 1 ? done.output : undefined }
  }

  #pipeline(node: syntax.PipelineNode, context: Context): Done {
    if (node.type !== 'Pipeline') return this.#node(node, context)
    if (node.commands.length === 1 && node.commands[0])
      return { ...this.#node(node.commands[0], context), isSure: false }
    let done: Done = {}
    for (const [i, command] of node.commands.entries()) {
      const { stdin, pipedFrom, ...rest } = context
      const inherited =
        i === 0 ? { ...(stdin && { stdin }), ...(pipedFrom !== undefined && { pipedFrom }) } : {}
      const piped = {
        ...(done.output && { stdin: done.output }),
        ...(done.index !== undefined && { pipedFrom: done.index }),
      }
      const inside = { ...rest, ...inherited, ...piped, scope: new Scope(context.scope) }
      done = this.#node(command, command.type === 'Command' ? inside : withShared(inside))
    }
    return { output: done.output, index: done.index }
  }

  #node(node: syntax.CommandNode | syntax.CompoundList, context: Context): Done {
    switch (node.type) {
      case 'Command':
        return this.#command(node, context)
      case 'CompoundList':
        return this.#list(node.commands, context)
      case 'Subshell':
        return this.#list(node.body.commands, { ...context, scope: new Scope(context.scope) })
      case 'BraceGroup':
        return this.#list(node.body.commands, context)
      case 'Redirected':
        return this.#redirected(node, context)
      case 'Function':
        context.scope.define(node.name.value, node)
        this.#functions.set(node, context)
        return { isSure: true, output: { text: '', known: true } }
      case 'Coproc':
        return this.#node(node.body, { ...context, scope: new Scope(context.scope) })
      case 'If': {
        this.#list(node.clause.commands, context)
        this.#branch(node.then, context)
        for (const { clause, then } of node.elif) {
          this.#branch(clause, context)
          this.#branch(then, context)
        }
        if (node.else) this.#branch(node.else, context)
        return {}
      }
      case 'While':
        context.scope.doubt(changesIn(node, context.scope, this.#spend))
        this.#list(node.clause.commands, context)
        this.#branch(node.body, context)
        return {}
      case 'For':
      case 'Select':
        return this.#for(node, context)
      case 'ArithmeticFor': {
        const to = this.#expansion(context)
        arithmetic(node.initialize, to)
        context.scope.doubt(changesIn(node, context.scope, this.#spend))
        arithmetic(node.test, to)
        this.#branch(node.body, context)
        arithmetic(node.update, to)
        return {}
      }
      case 'Case':
        expandText(node.word, this.#expansion(context))
        for (const { pattern, body } of node.items) {
          for (const word of pattern) expandText(word, this.#expansion(context))
          this.#branch(body, context)
        }
        return {}
      case 'TestCommand':
        this.#test(node.expression, context)
        return { output: { text: '', known: true } }
      case 'ArithmeticCommand':
        arithmetic(node.expression, this.#expansion(context))
        return { output: { text: '', known: true } }
    }
  }

  #branch(body: syntax.CompoundList, context: Context): void {
    const scope = new Scope(context.scope)
    this.#list(body.commands, { ...context, scope })
    context.scope.merge(scope)
  }

  #for(node: syntax.For | syntax.Select, context: Context): Done {
    const to = this.#expansion(context)
    const words = node.wordlist
      ? node.wordlist.flatMap((word) => expandWord(word, to))
      : (context.scope.positional ?? [{ text: '$@', known: false }])
    const name = node.name.value
    this.#spend(words.length)
    if (node.type === 'For' && words.length <= MAX_UNROLLED) {
      for (const word of words) {
        context.scope.set(name, word)
        this.#list(node.body.commands, context)
      }
      return {}
    }
    context.scope.doubt(changesIn(node.body, context.scope, this.#spend))
    context.scope.set(name, { text: `$${name}`, known: false })
    this.#branch(node.body, context)
    return {}
  }

  #test(node: syntax.TestExpression, context: Context): void {
    const to = this.#expansion(context)
    switch (node.type) {
      case 'TestUnary':
        expandText(node.operand, to)
        return
      case 'TestBinary':
        expandText(node.left, to)
        expandText(node.right, to)
        return
      case 'TestLogical':
        for (const operand of node.operands) this.#test(operand, context)
        return
      case 'TestNot':
        this.#test(node.operand, context)
        return
      case 'TestGroup':
        this.#test(node.expression, context)
    }
  }

  /** `{ …; } > file`: the redirects belong to no program, so they are a command without one. */
  #redirected(node: syntax.Redirected, context: Context): Done {
    const index = this.commands.push(undefined) - 1
    const redirects = redirectsOf(node.redirects, this.#expansion(context, index))
    this.commands[index] = this.#made({ argv: [], redirects }, context, [node.pos, node.end])
    const stdin = stdinOf(redirects)
    const done = this.#node(node.command, withShared(stdin ? { ...context, stdin } : context))
    return redirects.some(({ operator }) => operator.includes('>')) ? { index: done.index } : done
  }

  #command(node: syntax.Command, context: Context): Done {
    const index = this.commands.push(undefined) - 1
    const to = this.#expansion(context, index)
    const assignments: (Assignment & { values: Value })[] = []
    for (const one of node.prefix) {
      if (one.type !== 'Assignment') continue
      const set = assignmentOf(one, to)
      assignments.push(set)
      if (!node.name) context.scope.set(set.name, set.values)
    }
    const argv: Word[] = node.name ? expandWord(node.name, to) : []
    for (const one of node.args) {
      if (one.type === 'Assignment' || one.parts) this.#spend()
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
    this.commands[index] = this.#made({ argv, assignments: plain, redirects }, context, span)
    const isSure = !node.name && !this.commands.slice(index + 1).length
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
    this.#spend(1 + (parts.argv.length >> 4))
    const command = this.#made(parts, context, span)
    this.commands[index] = command
    let inside: Context = { ...context, parent: index, span: context.span ?? span }
    const isOwn = context.via !== 'wrapper'
    const name = command.argv[0]?.known ? command.argv[0].text : ''
    const called = isOwn && name ? context.scope.functionNamed(name) : undefined
    if (called) return this.#call(called, command, inside, index)
    builtin(command, context.scope)
    const alias = isOwn && name ? context.scope.get(`${ALIAS}${name}`) : undefined
    const scope = new Scope(context.scope)
    for (const { name, value } of command.assignments) scope.set(name, value)
    const unwrapped = unwrap(command)
    if (unwrapped.code || unwrapped.cwd)
      this.commands[index] = {
        ...command,
        ...(unwrapped.code && { code: unwrapped.code }),
        ...(unwrapped.cwd && { cwd: below(command.cwd, unwrapped.cwd) }),
      }
    let output = outputOf(command)
    const expanded = alias && !isArray(alias) && !context.calls.includes(name) ? aliased(alias, command) : []
    if (expanded.length > 0) inside = { ...inside, calls: [...inside.calls, name] }
    for (const child of [...expanded, ...unwrapped.children]) {
      const isSame = child.isSameShell && command.assignments.length === 0
      const done = this.#child(child, command, isSame ? inside : { ...inside, scope })
      if (child.passesOutput) output = done.output
    }
    const printsElsewhere = command.redirects.some(
      ({ operator, fd }) => operator.includes('>') && (fd ?? 1) === 1,
    )
    return { index, output: printsElsewhere ? undefined : output, isSure: SURE.has(command.program) }
  }

  #child(child: Child, command: Command, context: Context): Done {
    const depth = context.depth + 1
    const { stdin, pipedFrom, ...rest } = context
    const input = child.takesStdin
      ? {
          ...(command.stdin && { stdin: command.stdin }),
          ...(command.pipedFrom !== undefined && { pipedFrom: command.pipedFrom }),
        }
      : {}
    const isRemote = context.isRemote || child.isRemote === true
    const scope = child.isSameShell ? context.scope : new Scope(context.scope)
    if (child.cwd) scope.cwd = below(scope.cwd, child.cwd)
    if (isRemote && !context.isRemote) scope.cwd = child.cwd
    const inside: Context = {
      ...rest,
      ...input,
      scope,
      depth,
      isRemote,
      via: child.script ? 'inline' : 'wrapper',
    }
    if (depth > MAX_DEPTH) {
      this.doubt(`commands are wrapped in each other more than ${MAX_DEPTH} times`)
      return {}
    }
    if (child.script) {
      if (child.positional) scope.positional = child.positional
      return this.script(child.script.text, inside)
    }
    if (!child.argv || child.argv.length === 0) return {}
    const index = this.commands.push(undefined) - 1
    const parts = { argv: child.argv, assignments: child.assignments ?? [], redirects: [] }
    const via = child.isCode ? 'inline' : 'wrapper'
    return this.#start(index, parts, { ...inside, via }, context.span ?? [0, 0])
  }

  #call(node: syntax.Function, command: Command, context: Context, index: number): Done {
    const name = node.name.value
    this.#called.add(node)
    if (context.calls.includes(name)) return { index }
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
    const done = this.#node(node.body, inside)
    scope.positional = before
    for (const [name, value] of locals) scope.restore(name, value)
    return { index: done.index ?? index, output: done.output }
  }

  #expansion(context: Context, parent = context.parent): Expansion {
    return {
      scope: context.scope,
      spend: this.#spend,
      ...(context.span && { span: context.span }),
      substitute: (script, span) => {
        if (!script) {
          this.doubt('bash could not read a substitution in it')
          return undefined
        }
        this.#spend()
        const { stdin, pipedFrom, parent: _, ...rest } = context
        const scope = new Scope(context.scope)
        const own = script.source === undefined ? context.span : span
        return this.#parsed(script, {
          ...rest,
          ...(parent !== undefined && { parent }),
          ...(own && { span: own }),
          scope,
          via: 'substitution',
        }).output
      },
    }
  }

  #made(
    parts: Partial<Command> & Pick<Command, 'argv'>,
    context: Context,
    span: readonly [number, number],
  ): Command {
    const { argv, assignments = [], redirects = [] } = parts
    const stdin = stdinOf(redirects) ?? (redirectsInput(redirects) ? undefined : context.stdin)
    return {
      argv,
      program: programOf(argv[0]),
      assignments,
      redirects,
      ...(stdin && { stdin }),
      ...(context.pipedFrom !== undefined && !redirectsInput(redirects) && { pipedFrom: context.pipedFrom }),
      ...(context.parent !== undefined && { parent: context.parent }),
      via: context.via,
      isRemote: context.isRemote,
      ...(context.scope.cwd && { cwd: context.scope.cwd }),
      span: context.span ?? span,
    }
  }
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

/** The last part of the path, unless it has something in it that nobody knows. */
export function programOf(word: Word | undefined): string {
  if (!word) return ''
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

/** Several commands read one input: which of them gets which part is not known. */
function withShared(context: Context): Context {
  return context.stdin ? { ...context, stdin: { ...context.stdin, known: false } } : context
}

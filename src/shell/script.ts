/**
 * A script as the list of commands that it would start. It is walked as a shell would run it: variables, functions and the
 * folder are followed, of a branch every side is taken, wrappers are unwrapped. Nothing is run and no file is read.
 */
import type { Command, Script, Word } from './command.ts'
import { readable } from './complexity.ts'
import { type Context, type Done, MAX_DEPTH, withShared } from './context.ts'
import { arithmetic } from './expansion/arithmetic.ts'
import { type Expansion, expandText, expandWord } from './expansion/expand.ts'
import { both } from './expansion/parts.ts'
import { changesIn, Scope } from './scope.ts'
import { Starter, type Walk } from './starter.ts'
import type * as syntax from './syntax.ts'
import { parseSource } from './syntax.ts'
import { evaluated, isEvaluated } from './wrappers/subscripts.ts'

const MAX_STEPS = 4_000 // statements, words and lengths of text: what loops and functions multiply comes to an end
const STEPS_AFTER_ERROR = 1_000 // the tree is a guess from there on
const MAX_UNROLLED = 64 // words of a `for` that are followed one by one

export function parseScript(source: string): Script {
  const walk = new SyntaxWalk()
  try {
    walk.script(source, { scope: new Scope(), via: 'script', isRemote: false, depth: 0, calls: [] })
    walk.uncalledFunctions()
  } catch (error) {
    if (!(error instanceof Stop) && !(error instanceof RangeError)) throw error
    walk.stopsBefore(error instanceof Stop ? error.message : 'it is nested too deeply to be followed')
  }
  const { why, isTooMuch } = walk
  const commands = walk.found()
  return why === undefined
    ? { commands, understood: true }
    : { commands, understood: false, why, ...(isTooMuch && { isTooMuch }) }
}

class Stop extends Error {}

/** In the place of a command in whose words the walk stopped: others name their neighbours by their places. */
const UNREAD: Command = {
  argv: [],
  program: '',
  assignments: [],
  redirects: [],
  via: 'script',
  isRemote: false,
  span: [0, 0],
}

class SyntaxWalk implements Walk {
  why: string | undefined
  isTooMuch = false
  #steps = 0
  readonly #functions = new Map<syntax.Function, Context>()
  readonly #called = new Set<syntax.Function>()
  readonly #starter = new Starter(this)

  found(): Command[] {
    return this.#starter.commands.map((one) => one ?? UNREAD)
  }

  called(node: syntax.Function): void {
    this.#called.add(node)
  }

  doubt(why: string): void {
    this.why ??= why
  }

  stopsBefore(why: string): void {
    this.isTooMuch = true
    this.doubt(why)
  }

  script(source: string, context: Context): Done {
    if (context.depth > MAX_DEPTH) {
      this.stopsBefore(`commands are wrapped in each other more than ${MAX_DEPTH} times`)
      return {}
    }
    const { text, why } = readable(source)
    if (why !== undefined) this.stopsBefore(why)
    if (context.depth > 0) this.spend(4 + (text.length >> 5)) // a loop may have it parsed again and again
    return this.#parsed(parseSource(text), context)
  }

  /** A function that nobody called may still be called later, by a name that is not known here. */
  uncalledFunctions(): void {
    for (const [node, context] of this.#functions) {
      if (this.#called.has(node)) continue
      this.#called.add(node)
      const scope = new Scope(context.scope)
      scope.positional = undefined
      this.node(node.body, { ...context, scope, via: 'function' })
    }
  }

  #parsed(tree: syntax.ParsedScript, context: Context): Done {
    const error = tree.errors?.[0]
    if (error) {
      this.doubt(`bash could not read it: ${error.message}`)
      this.isTooMuch ||= tree.errors?.some(({ message }) => message.includes('nesting depth')) === true
      this.#steps = Math.max(this.#steps, MAX_STEPS - STEPS_AFTER_ERROR)
    }
    return this.#list(tree.commands, context)
  }

  readonly spend = (steps = 1): void => {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw new Stop('it has more steps than are followed')
  }

  #list(statements: readonly syntax.Statement[], context: Context): Done {
    let output: Word | undefined = { text: '', known: true }
    let done: Done = {}
    for (const { command, background } of statements) {
      this.spend()
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
    if (node.type !== 'Pipeline') return this.node(node, context)
    if (node.commands.length === 1 && node.commands[0])
      return { ...this.node(node.commands[0], context), isSure: false }
    let done: Done = {}
    for (const [i, command] of node.commands.entries()) {
      if (i > 0) this.spend()
      const stdin = i === 0 ? context.stdin : done.output
      const pipedFrom = i === 0 ? context.pipedFrom : done.index
      const inside = { ...context, stdin, pipedFrom, scope: new Scope(context.scope) }
      done = this.node(command, command.type === 'Command' ? inside : withShared(inside))
    }
    return { output: done.output, index: done.index }
  }

  node(node: syntax.CommandNode | syntax.CompoundList, context: Context): Done {
    switch (node.type) {
      case 'Command':
        return this.#starter.command(node, context)
      case 'CompoundList':
        return this.#list(node.commands, context)
      case 'Subshell':
        return this.#list(node.body.commands, { ...context, scope: new Scope(context.scope) })
      case 'BraceGroup':
        return this.#list(node.body.commands, context)
      case 'Redirected':
        return this.#starter.redirected(node, context)
      case 'Function':
        context.scope.define(node.name.value, node)
        this.#functions.set(node, context)
        return { isSure: true, output: { text: '', known: true } }
      case 'Coproc':
        return this.node(node.body, { ...context, scope: new Scope(context.scope) })
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
        context.scope.doubt(changesIn(node, context.scope, this.spend))
        this.#list(node.clause.commands, context)
        this.#branch(node.body, context)
        return {}
      case 'For':
      case 'Select':
        return this.#for(node, context)
      case 'ArithmeticFor': {
        const to = this.expansion(context)
        arithmetic(node.initialize, to)
        context.scope.doubt(changesIn(node, context.scope, this.spend))
        arithmetic(node.test, to)
        this.#branch(node.body, context)
        arithmetic(node.update, to)
        return {}
      }
      case 'Case':
        expandText(node.word, this.expansion(context))
        for (const { pattern, body } of node.items) {
          for (const word of pattern) expandText(word, this.expansion(context))
          this.#branch(body, context)
        }
        return {}
      case 'TestCommand':
        this.#test(node.expression, context)
        return { output: { text: '', known: true } }
      case 'ArithmeticCommand':
        arithmetic(node.expression, this.expansion(context))
        return { output: { text: '', known: true } }
    }
  }

  #branch(body: syntax.CompoundList, context: Context): void {
    const scope = new Scope(context.scope)
    this.#list(body.commands, { ...context, scope })
    context.scope.merge(scope)
  }

  #for(node: syntax.For | syntax.Select, context: Context): Done {
    const to = this.expansion(context)
    const words = node.wordlist
      ? node.wordlist.flatMap((word) => expandWord(word, to))
      : (context.scope.positional ?? [{ text: '$@', known: false }])
    const name = node.name.value
    this.spend(words.length)
    if (node.type === 'For' && words.length <= MAX_UNROLLED) {
      const { loops = 0 } = context
      const inside = { ...context, loops: loops + 1 }
      for (const word of words) {
        this.spend(loops < 3 ? 0 : loops) // they multiply; three in each other people write
        context.scope.set(name, word)
        this.#list(node.body.commands, inside)
      }
      return {}
    }
    context.scope.doubt(changesIn(node.body, context.scope, this.spend))
    context.scope.set(name, { text: `$${name}`, known: false })
    this.#branch(node.body, context)
    return {}
  }

  #test(node: syntax.TestExpression, context: Context): void {
    const to = this.expansion(context)
    switch (node.type) {
      case 'TestUnary':
        if (node.operator === '-v') this.#evaluated(expandText(node.operand, to), context)
        else expandText(node.operand, to)
        return
      case 'TestBinary': {
        const sides = [expandText(node.left, to), expandText(node.right, to)]
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
          for (const side of sides) this.#evaluated(side, context)
        return
      }
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

  /** A name or a number: the substitutions in its brackets run. */
  #evaluated({ text }: Word, context: Context): void {
    if (isEvaluated(text))
      this.script(evaluated(text), { ...context, via: 'inline', depth: context.depth + 1 })
  }

  expansion(context: Context, parent = context.parent): Expansion {
    return {
      scope: context.scope,
      spend: this.spend,
      span: context.span,
      substitute: (script, span) => {
        if (!script) {
          this.doubt('bash could not read a substitution in it')
          return undefined
        }
        this.spend()
        return this.#parsed(script, {
          ...context,
          stdin: undefined,
          pipedFrom: undefined,
          parent,
          span: script.source === undefined ? context.span : span,
          scope: new Scope(context.scope),
          via: 'substitution',
        }).output
      },
    }
  }
}

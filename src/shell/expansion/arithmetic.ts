/** `$((…))` and `((…))` on known numbers. Substitutions in it are walked, assignments reach the scope. */
import type { ArithmeticExpression, WordPart } from '../syntax.ts'
import { parseSource } from '../syntax.ts'
import { evaluated, isEvaluated } from '../wrappers/subscripts.ts'
import { type Expansion, expandText, lookUp } from './expand.ts'

export function arithmetic(node: ArithmeticExpression | undefined, to: Expansion): number | undefined {
  if (!node) return undefined
  switch (node.type) {
    case 'ArithmeticGroup':
      return arithmetic(node.expression, to)
    case 'ArithmeticWord':
      return operand(node.value, node.parts, to)
    case 'ArithmeticCommandExpansion':
      to.substitute(node.script, to.span ?? [node.pos, node.end])
      return undefined
    case 'ArithmeticTernary': {
      const test = arithmetic(node.test, to)
      const [yes, no] = [arithmetic(node.consequent, to), arithmetic(node.alternate, to)]
      return test === undefined ? undefined : test !== 0 ? yes : no
    }
    case 'ArithmeticUnary': {
      const value = arithmetic(node.operand, to)
      if (node.operator === '++' || node.operator === '--') {
        const next = value === undefined ? undefined : value + (node.operator === '++' ? 1 : -1)
        assign(node.operand, next, to)
        return node.prefix ? next : value
      }
      if (value === undefined) return undefined
      return { '-': -value, '+': value, '!': Number(value === 0), '~': ~value }[node.operator]
    }
    case 'ArithmeticBinary': {
      const right = arithmetic(node.right, to)
      const sign = /^([-+*/%&|^]|<<|>>)?=$/.exec(node.operator)
      const left = node.operator === '=' ? 0 : arithmetic(node.left, to)
      const isKnown = left !== undefined && right !== undefined
      if (!sign) return isKnown ? combined(node.operator, left, right) : undefined
      const value = isKnown ? (sign[1] ? combined(sign[1], left, right) : right) : undefined
      assign(node.left, value, to)
      return value
    }
  }
}

function operand(text: string, parts: readonly WordPart[] | undefined, to: Expansion): number | undefined {
  const value = parts ? expandText({ text, value: text, parts }, to) : { text, known: true }
  if (!value.known) return undefined
  if (/^(0|[1-9]\d{0,14})$/.test(value.text)) return Number(value.text)
  const variable = /^[A-Za-z_]\w*$/.test(value.text) ? lookUp(value.text, to.scope) : undefined
  // What a variable holds is evaluated, too, with the substitutions in its brackets.
  for (const one of [value, variable]) if (one && isEvaluated(one.text)) evaluate(one.text, to)
  return variable?.known && /^-?(0|[1-9]\d{0,14})$/.test(variable.text) ? Number(variable.text) : undefined
}

function evaluate(text: string, to: Expansion): void {
  to.spend(4 + (text.length >> 5))
  to.substitute(parseSource(evaluated(text)), to.span ?? [0, 0])
}

function assign(target: ArithmeticExpression, value: number | undefined, to: Expansion): void {
  if (target.type !== 'ArithmeticWord' || !/^[A-Za-z_]\w*$/.test(target.value)) return
  const text = value === undefined ? `$${target.value}` : String(value)
  to.scope.set(target.value, { text, known: value !== undefined })
}

function combined(operator: string, left: number, right: number): number | undefined {
  const value = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': right === 0 ? undefined : Math.trunc(left / right),
    '%': right === 0 ? undefined : left % right,
    '**': right < 0 ? undefined : left ** right,
    '<': Number(left < right),
    '>': Number(left > right),
    '<=': Number(left <= right),
    '>=': Number(left >= right),
    '==': Number(left === right),
    '!=': Number(left !== right),
    '&&': Number(left !== 0 && right !== 0),
    '||': Number(left !== 0 || right !== 0),
    ',': right,
  }[operator]
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined
}

/** Shells: the text that one of them reads, as an argument, from a file or on its standard input. */
import type { Command, Word } from '../command.ts'
import { behindDashes, NOTHING, one, type Unwrapped } from './child.ts'

/** `sh -c text name args`, a script on standard input, or a process substitution. */
export function shell(words: readonly Word[], command: Command): Unwrapped {
  let isText = false
  let i = 0
  for (; i < words.length; i++) {
    const text = words[i]?.text ?? ''
    if (text === '--' || text === '-') {
      i++
      break
    }
    if (/^--(rcfile|init-file)$/.test(text)) {
      const file = words[++i]?.output
      if (file) return one({ script: file, takesStdin: true })
    } else if (text === '--init-command') i++
    else if (text.startsWith('--command='))
      return one({ script: { text: text.slice(10), known: words[i]?.known === true } })
    else if (/^(--commands?|-Command)$/i.test(text)) isText = true
    else if (/^[-+][A-Za-z]+$/.test(text)) {
      if (text.startsWith('-') && text.includes('c')) isText = true
      if (/[oO]$/.test(text)) i++
    } else if (!/^[-+]/.test(text) || text.length < 2) break
  }
  const script = words[i]
  if (isText) {
    if (!script) return NOTHING
    const zero = words[i + 1]
    return one({
      script,
      positional: words.slice(i + 2),
      ...(zero && { zero }),
      takesStdin: true,
      passesOutput: true,
    })
  }
  if (script?.output)
    return one({
      script: script.output,
      positional: words.slice(i + 1),
      takesStdin: true,
      passesOutput: true,
    })
  if (!script || script.text === '/dev/stdin' || words.some(({ text }) => text === '-s'))
    return command.stdin
      ? one({ script: command.stdin, positional: words.slice(i), passesOutput: true })
      : NOTHING
  return NOTHING
}

export function sourced(words: readonly Word[], { stdin }: Command): Unwrapped {
  const [file] = behindDashes(words)
  const text = file?.output ?? (file?.text === '/dev/stdin' ? stdin : undefined)
  return text ? one({ script: text, isSameShell: true }) : NOTHING
}

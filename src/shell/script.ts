/** A script as the list of commands that it would start. */
import type { Command, Script } from './command.ts'
import { parseSource } from './syntax.ts'

export function parseScript(source: string): Script {
  const tree = parseSource(source)
  const commands: Command[] = []
  for (const { command } of tree.commands) {
    if (command.type !== 'Command' || !command.name) continue
    const words = [command.name, ...command.args.filter((one) => one.type === 'Word')]
    const argv = words.map(({ value, parts }) => ({ text: value, known: !parts }))
    commands.push({
      argv,
      program: argv[0]?.known ? (argv[0].text.split('/').at(-1) ?? '') : '',
      assignments: [],
      redirects: [],
      via: 'script',
      isRemote: false,
      span: [command.pos, command.end],
    })
  }
  const error = tree.errors?.[0]
  return error
    ? { commands, understood: false, why: `bash would not read it: ${error.message}` }
    : { commands, understood: true }
}

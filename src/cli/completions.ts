/** The script that completes command lines in a shell. */
import { GantryError } from '../core/errors.ts'
import type { Command } from './command.ts'
import { bashScript } from './completion-bash.ts'
import { fishScript } from './completion-fish.ts'
import { completionTable } from './completion-table.ts'
import { zshScript } from './completion-zsh.ts'
import { out } from './terminal.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

export const completions: Command = {
  name: 'completions',
  summary: 'Print the completions for bash, zsh or fish',
  usage: 'bash|zsh|fish',
  takes: 1,
  options: {},
  examples: [
    { line: 'source <(gantry completions bash)', does: 'In ~/.bashrc; the same for zsh, after compinit' },
    {
      line: 'gantry completions fish > ~/.config/fish/completions/gantry.fish',
      does: 'For every fish from now on',
    },
  ],
  async run({ args }, all) {
    const [shell = ''] = args
    if (!isShell(shell) || args.length > 1)
      throw new GantryError('USAGE', 'Say for which shell: bash, zsh or fish. See: gantry completions --help')
    out(SCRIPTS[shell](await completionTable(all)))
    return 0
  },
}

function isShell(text: string): text is keyof typeof SCRIPTS {
  return Object.hasOwn(SCRIPTS, text)
}

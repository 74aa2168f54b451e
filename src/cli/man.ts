/** The manual page: printed, for `man` to show or a folder of MANPATH to keep. */
import { VERSION } from '../core/version.ts'
import type { Command } from './command.ts'
import { manPage } from './man-page.ts'
import { out } from './terminal.ts'

export const man: Command = {
  name: 'man',
  summary: 'Print the manual page',
  usage: '',
  options: {},
  examples: [
    { line: 'gantry man | man -l -', does: 'Shows it' },
    {
      line: 'gantry man > ~/.local/share/man/man1/gantry.1',
      does: 'From then on, man gantry shows it',
    },
  ],
  async run(_input, all) {
    out(manPage(await Promise.all(all.map(([, { load }]) => load())), VERSION))
    return 0
  },
}

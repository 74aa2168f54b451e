/** What is wrong, with the fix for each line. Works with the daemon away, too. */
import { examine } from '../install/index.ts'
import type { Command } from './command.ts'
import { cyan, green, out, plain, red, yellow } from './terminal.ts'

const MARKS = { ok: green('✓'), warn: yellow('!'), fail: red('✗') } as const

export const doctor: Command = {
  name: 'doctor',
  summary: 'Find what is wrong, with the fix for each',
  usage: '[--json]',
  options: { json: { type: 'boolean', help: 'Print the findings as an array' } },
  examples: [
    { line: 'gantry doctor', does: 'Looks at folders, daemon, hook client, journal, spool and drift' },
  ],
  async run({ flags, places }) {
    const findings = await examine(places)
    if (flags.json) out(JSON.stringify(findings, null, 2))
    else {
      for (const { level, about, message, fix } of findings) {
        out(`${MARKS[level]} ${about.padEnd(8)} ${plain(message)}`)
        if (fix) out(`           ${cyan('→')} ${plain(fix)}`)
      }
    }
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
}

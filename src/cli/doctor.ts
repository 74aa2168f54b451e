/** What is wrong, with the fix for each line. Works with the daemon away, too. */
import { examine } from '../install/index.ts'
import type { Command } from './command.ts'
import { type FindingGroup, groupFindings, groupHead } from './finding-groups.ts'
import { cyan, green, out, plain, red, yellow } from './terminal.ts'

const MARKS = { ok: green('✓'), warn: yellow('!'), fail: red('✗') } as const

export const doctor: Command = {
  name: 'doctor',
  summary: 'Find what is wrong, with the fix for each',
  usage: '[--json] [--verbose]',
  options: { json: { type: 'boolean', help: 'Print the findings as an array, all of them' } },
  examples: [
    { line: 'gantry doctor', does: 'Looks at folders, daemon, hook client, journal, spool and drift' },
    { line: 'gantry doctor --verbose', does: 'Every line, also where many are of one kind' },
  ],
  async run({ flags, places }) {
    const findings = await examine(places)
    if (flags.json) out(JSON.stringify(findings, null, 2))
    else {
      const groups = flags.verbose
        ? findings.map((one) => ({ example: one, all: [one] }))
        : groupFindings(findings)
      for (const group of groups) show(group)
      if (groups.length < findings.length)
        out(`All ${findings.length} lines: ${cyan('gantry doctor --verbose')}`)
    }
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
}

function show(group: FindingGroup): void {
  const { level, about, message, fix } = group.example
  const head = `${MARKS[level]} ${about.padEnd(8)} `
  if (group.all.length === 1) out(`${head}${plain(message)}`)
  else {
    out(`${head}${plain(groupHead(group))}`)
    out(`           ${plain(message)}`)
  }
  if (fix) out(`           ${cyan('→')} ${plain(fix)}`)
}

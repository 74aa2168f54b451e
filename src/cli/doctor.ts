/** What is wrong, with the fix for each line. Works with the daemon away, too. */

import { existsSync } from 'node:fs'
import type { Finding } from '../client/index.ts'
import type { Places } from '../core/paths.ts'
import { counted } from '../core/text.ts'
import { examine } from '../install/index.ts'
import { type CheckReport, checkJournal, keepReport, lastReport } from '../store/index.ts'
import type { Command } from './command.ts'
import { type FindingGroup, groupFindings, groupHead } from './finding-groups.ts'
import { progressOf } from './progress.ts'
import { age, cyan, green, out, paragraph, plain, red, widthOf, yellow } from './terminal.ts'

const MARKS = { ok: green('✓'), warn: yellow('!'), fail: red('✗') } as const

export const doctor: Command = {
  name: 'doctor',
  summary: 'Find what is wrong, with the fix for each',
  usage: '[--deep] [--json] [--verbose]',
  options: {
    deep: { type: 'boolean', help: 'Read the whole journal and check every page of the database' },
    json: { type: 'boolean', help: 'Print the findings as an array, all of them' },
  },
  examples: [
    { line: 'gantry doctor', does: 'Looks at folders, daemon, hook client, journal, spool and drift' },
    { line: 'gantry doctor --deep', does: 'Looks for what is broken in the middle of the journal, too' },
    { line: 'gantry doctor --verbose', does: 'Every line, also where many are of one kind' },
  ],
  async run({ flags, places }) {
    const findings = [...(await examine(places)), ...journalFindings(places, flags.deep === true)]
    if (flags.json) out(JSON.stringify(findings, null, 2))
    else {
      const groups = flags.verbose
        ? findings.map((one) => ({ example: one, all: [one] }))
        : groupFindings(findings)
      for (const group of groups) show(group)
      if (groups.length < findings.length)
        out(`All ${findings.length.toLocaleString('en')} lines: ${cyan('gantry doctor --verbose')}`)
    }
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
}

/** What the daemon found on its daily look, or what is found now. */
function journalFindings(places: Places, isDeep: boolean): Finding[] {
  if (!existsSync(places.database)) return []
  const report = isDeep ? lookThrough(places) : lastReport(places.journalCheck, places.database)
  if (!report) return []
  const events = counted(report.events, 'event')
  const when = isDeep ? `in ${age(report.ms)}` : `${age(Math.max(0, Date.now() - report.at))} ago`
  if (report.problems.length === 0)
    return [{ level: 'ok', about: 'journal', message: `looked through ${when}: ${events}, all whole` }]
  const fix =
    'Run "gantry down", keep a copy of the database, and read what is left with: ' +
    `sqlite3 ${places.database} .recover | sqlite3 recovered.db`
  return report.problems.map((problem, i) => ({
    level: 'fail',
    about: 'journal',
    message: `broken (looked through ${when}, ${events}): ${problem}`,
    ...(i === report.problems.length - 1 ? { fix } : {}), // one for all of them
  }))
}

function lookThrough({ database, journalCheck }: Places): CheckReport {
  const progress = progressOf('events')
  const check = checkJournal(database, { structure: 'all' })
  let step = check.next()
  for (; !step.done; step = check.next()) progress.at(step.value.done, step.value.total)
  progress.end()
  try {
    keepReport(journalCheck, step.value)
  } catch {
    // on a disk that takes nothing it is only shown
  }
  return step.value
}

function show(group: FindingGroup): void {
  const { level, about, message, fix } = group.example
  const head = `${MARKS[level]} ${about.padEnd(8)} `
  const indent = ' '.repeat(widthOf(head))
  if (group.all.length === 1) out(paragraph(head, plain(message)))
  else {
    out(paragraph(head, plain(groupHead(group))))
    out(paragraph(indent, plain(message)))
  }
  if (fix) out(paragraph(`${indent}${cyan('→')} `, plain(fix)))
}

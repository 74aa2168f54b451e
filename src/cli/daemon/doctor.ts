/** Prints findings, each with its fix. Works without the daemon. */
import { existsSync } from 'node:fs'
import type { Finding } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { type FindingGroup, groupFindings, groupHead } from '../../core/text/finding-groups.ts'
import { counted } from '../../core/text/text.ts'
import { configFindings, fileProblems, ruleProblems } from '../../daemon/config/index.ts'
import { runDoctor } from '../../install/index.ts'
import { type CheckReport, keepReport, lastReport } from '../../store/index.ts'
import type { Input } from '../framework/define.ts'
import { age, ago, cyan, levelMark, out, outJson, paragraph, plain, widthOf } from '../framework/terminal.ts'
import { readThrough } from './backup.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.doctor>): Promise<number> {
  const findings = [
    ...(await runDoctor(places, () => mistakes(places))),
    ...journalFindings(places, flags.deep),
  ]
  if (flags.json) outJson(findings)
  else {
    const groups = flags.verbose
      ? findings.map((one) => ({ example: one, all: [one] }))
      : groupFindings(findings)
    for (const group of groups) show(group)
    if (groups.length < findings.length)
      out(`All ${findings.length.toLocaleString('en')} lines: ${cyan('gantry doctor --verbose')}`)
  }
  return findings.some(({ level }) => level === 'fail') ? 1 : 0
}

/** In the configuration, while no daemon can tell. */
async function mistakes(places: Places): Promise<Finding[]> {
  const problems = [...(await fileProblems(places)), ...(await ruleProblems(places.rules))]
  return configFindings(problems, places.configFile)
}

/** The result of the daemon's daily check, or with --deep of a check now. */
function journalFindings(places: Places, isDeep: boolean): Finding[] {
  if (!existsSync(places.database)) return []
  const report = isDeep ? lookThrough(places) : lastReport(places.journalCheck, places.database)
  if (!report) return []
  const events = counted(report.events, 'event')
  const when = isDeep ? `in ${age(report.ms)}` : ago(report.at)
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
  const report = readThrough(database)
  try {
    keepReport(journalCheck, report)
  } catch {
    // a full disk: the report is only printed
  }
  return report
}

function show(group: FindingGroup<Finding>): void {
  const { level, about, message, fix } = group.example
  const head = `${levelMark(level)} ${about.padEnd(8)} `
  const indent = ' '.repeat(widthOf(head))
  if (group.all.length === 1) out(paragraph(head, plain(message)))
  else {
    out(paragraph(head, plain(groupHead(group, Date.now()))))
    out(paragraph(indent, plain(message)))
  }
  if (fix) out(paragraph(`${indent}${cyan('→')} `, plain(fix)))
}

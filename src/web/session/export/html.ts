/**
 * A session as one HTML file to share: what it is, where the time went, what it changed, what was said. It has no script and
 * loads nothing; every text is escaped. Secrets were taken out before the journal got them. Pure.
 */
import type { SessionView, TranscriptMessage } from '../../../client/index.ts'
import { percentWords, shortCost, spanWords } from '../../../core/text/amount.ts'
import { lookOf } from '../../../sessions/state/look.ts'
import type { Entry } from '../../../timeline/entry.ts'
import { boundsOf, type Lanes, lanesOf, type Span } from '../../../timeline/lanes.ts'
import { shown } from '../../parts/format.ts'
import type { Line, Row } from '../changes/lines.ts'
import {
  type ChangedFile,
  type Changes,
  countWords,
  DISK_WORDS,
  netRows,
  rowsOfEdit,
} from '../changes/model.ts'
import { toolCounts } from '../entries.ts'
import { blocksIn } from '../text-blocks.ts'
import { laneName, lengthWords, markOf, textOf } from '../timeline/labels.ts'
import { STYLE } from './style.ts'

interface Exported {
  readonly session: SessionView
  readonly timeline: { readonly entries: readonly Entry[]; readonly cut: boolean }
  readonly changes: Changes | undefined
  readonly messages: readonly TranscriptMessage[]
  readonly host: string | undefined
  readonly now: number
}

const MAX_SPANS = 2_000
/** A transcript has no more of them here; the last ones count. */
export const MAX_MESSAGES = 2_000
const TOOL_CHARS = 2_000

export function htmlOf(exported: Exported): string {
  const { session, timeline, now } = exported
  const lanes = lanesOf(timeline.entries, boundsOf(session, timeline.cut, now))
  const title = `${session.name} · gantry`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${headOf(exported, lanes)}
${timelineOf(lanes)}
${changesOf(exported.changes)}
${transcriptOf(exported)}
<footer>Exported by gantry, ${text(timeOf(now))}</footer>
</main>
</body>
</html>
`
}

/** Safe as text and inside quotes. */
function text(value: string): string {
  const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const
  return shown(value).replace(/[&<>"']/g, (letter) => named[letter as keyof typeof named])
}

function headOf({ session, timeline, host }: Exported, lanes: Lanes): string {
  const tools = toolCounts(timeline.entries)
  const look = lookOf(session)
  const { agent, agentVersion, model, project, branch, usage } = session
  const facts = [
    [agent, agentVersion].filter(Boolean).join(' '),
    model,
    project,
    branch,
    session.host ?? host,
  ]
  const figures: readonly (readonly [string, string])[] = [
    ['Worked', spanWords(lanes.sums.workedMs)],
    ['Waited for you', spanWords(lanes.sums.waitedMs)],
    ['Idle', spanWords(lanes.sums.idleMs)],
    ['Cost', usage.costUsd === undefined ? '–' : shortCost(usage.costUsd)],
    ['Context', usage.contextPct === undefined ? '–' : percentWords(usage.contextPct)],
    ['Tools', `${tools.calls}${tools.failed > 0 ? `, ${tools.failed} failed` : ''}`],
  ]
  return `<header>
<h1>${text(session.name)} <small>${look.mark} ${text(look.text)}</small></h1>
<p>${text(facts.filter((fact) => fact !== undefined && fact !== '').join(' · '))}</p>
<p>${text(timeOf(lanes.from))} – ${text(timeOf(lanes.to))}</p>
</header>
<dl>${figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>`
}

function timelineOf({ lanes }: Lanes): string {
  const rows = lanes.flatMap((lane) => lane.spans.map((span) => ({ name: laneName(lane), span })))
  rows.sort((a, b) => a.span.from - b.span.from)
  const left = rows.length - MAX_SPANS
  return `<section>
<h2>Timeline</h2>
<details${rows.length <= 60 ? ' open' : ''}><summary>${rows.length} spans</summary>
<table><thead><tr><th>Begins</th><th>Lane</th><th>What</th><th>Took</th></tr></thead>
<tbody>
${rows
  .slice(0, MAX_SPANS)
  .map(({ name, span }) => spanRow(name, span))
  .join('\n')}
</tbody></table>${left > 0 ? `<p>${left} more are left out.</p>` : ''}
</details>
</section>`
}

function spanRow(name: string, span: Span): string {
  const cells = [
    timeOf(span.from).slice(11),
    name,
    `${markOf(span)}${span.label} ${textOf(span)}`,
    lengthWords(span),
  ]
  return `<tr class="${span.tone}">${cells.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`
}

function changesOf(changes: Changes | undefined): string {
  if (!changes || changes.files.length === 0) return ''
  return `<section>
<h2>What it changed</h2>
${changes.files.map(fileOf).join('\n')}
</section>`
}

function fileOf(file: ChangedFile): string {
  const about = `${countWords(file.added, file.removed)} · ${DISK_WORDS[file.disk].words}`
  const net = netRows(file)
  const diffs = net ? [net] : file.edits.map(rowsOfEdit)
  const inside = diffs.map((rows) => `<pre>${rows.map(rowOf).join('')}</pre>`)
  return `<details open class="file"><summary><b>${text(file.rel || file.path)}</b> ${text(about)}</summary>${inside.join('')}</details>`
}

function rowOf(row: Row): string {
  if (row.kind === 'gap') return `<i class="fold">${row.line > 0 ? `line ${row.line}` : '…'}</i>`
  if (row.kind !== 'fold') return lineOf(row)
  if (row.lines[0]?.kind === 'same') return `<i class="fold">${row.lines.length} unchanged lines</i>`
  return row.lines.map(lineOf).join('')
}

const SIGNS = { same: ' ', add: '+', del: '-' } as const

function lineOf({ kind, text: line, pieces }: Line): string {
  const inside = pieces
    ? pieces.map((piece) => (piece.changed ? `<b>${text(piece.text)}</b>` : text(piece.text))).join('')
    : text(line)
  return `<i class="${kind}">${SIGNS[kind]} ${inside}</i>`
}

function transcriptOf({ messages, session }: Exported): string {
  if (messages.length === 0) return ''
  return `<section>
<h2>Transcript</h2>
${messages
  .slice(-MAX_MESSAGES)
  .map((message) => messageOf(message, session.agent))
  .join('\n')}
</section>`
}

function messageOf({ role, at, text: said, tool }: TranscriptMessage, agent: string): string {
  const who = role === 'user' ? 'You' : role === 'assistant' ? agent : role
  const when = at > 0 ? ` ${timeOf(at).slice(11)}` : ''
  const blocks = blocksIn(said).map(({ kind, text: block }) =>
    kind === 'code' ? `<pre>${text(block)}</pre>` : `<p>${text(block)}</p>`,
  )
  const call = tool
    ? `<details><summary>${text(tool.name)}</summary><pre>${text(cut(JSON.stringify(tool.input, null, 2) ?? ''))}</pre>${
        (tool.error ?? tool.result) ? `<pre>${text(cut(tool.error ?? tool.result ?? ''))}</pre>` : ''
      }</details>`
    : ''
  return `<article class="${role}"><h3>${text(who + when)}</h3>${blocks.join('')}${call}</article>`
}

function cut(value: string): string {
  return value.length > TOOL_CHARS
    ? `${value.slice(0, TOOL_CHARS)}\n… ${value.length - TOOL_CHARS} more characters`
    : value
}

/** `2026-03-01 12:00:00`, in the time zone of the exporting machine. */
function timeOf(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 19).replace('T', ' ')
}

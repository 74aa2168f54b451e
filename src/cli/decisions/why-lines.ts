/** The answer of `gantry rules why`, for people. */
import type { Said, Span, WhyView } from '../../client/index.ts'
import { tookWords } from '../../core/text/amount.ts'
import { inputLine } from '../../core/text/input-line.ts'
import { bold, counted, cut, dim, green, plain, red, yellow } from '../framework/terminal.ts'

export function* whyLines(view: WhyView): Generator<string> {
  const { id, at, agent, type, tool, prompt, rules, guards, verdict, unknown, answered, changed } = view
  yield `${bold(plain(id))}  ${plain(type)}${tool ? ` ${plain(tool.name)}` : ''}  ${plain(agent)}  ${new Date(at).toISOString()}`
  const line = tool ? inputLine(tool.input) : (prompt ?? '')
  if (line !== '') yield `  ${cut(plain(line), 200)}`
  for (const { id, said, why, conditions, isLate, tookMs } of rules) {
    const late = isLate ? '; not asked, another had decided' : ''
    yield `${signOf(said)} rule ${bold(plain(id))}  ${said}${why ? `: ${plain(why)}` : ''}  ${dim(`${tookWords(tookMs)}${late}`)}`
    for (const one of conditions) {
      if (said === 'not matched' && one.said === 'matched') continue
      const words = `${one.said}${one.why ? `: ${plain(one.why)}` : ''}`
      yield `    ${signOf(one.said)} ${plain(one.name)}  ${words}${spanWords(one.span)}`
    }
  }
  for (const { id, mode, said, why, span, tookMs } of guards)
    if (said === 'matched')
      yield `${signOf(said)} guard ${bold(id)}  ${mode}: ${plain(why ?? said)}${spanWords(span)}  ${dim(tookWords(tookMs))}`
  for (const said of ['not matched', 'not understood'] as const) {
    const same = guards.filter((one) => one.said === said)
    const took = same.reduce((sum, { tookMs }) => sum + tookMs, 0)
    const why = said === 'not understood' ? `: ${plain(same[0]?.why ?? '')}` : ''
    if (same.length > 0)
      yield `${signOf(said)} ${counted(same.length, 'guard')}  ${said}${why}  ${dim(tookWords(took))}`
  }
  yield `today     ${verdictWords(verdict)}${unknown ? `  ${yellow('?')} ${plain(unknown)}` : ''}`
  const person = answered?.person === undefined ? '' : `  ${dim(answered.person)}`
  yield `answered  ${answered ? verdictWords(answered) : 'nothing, or it is not known any more'}${person}`
  if (changed !== undefined) yield dim(changed)
}

export function verdictWords(said: {
  readonly decision: string
  readonly by?: string
  readonly reason?: string
}): string {
  const colour = said.decision === 'deny' ? red : said.decision === 'ask' ? yellow : green
  const by = said.by === undefined ? '' : ` by ${plain(said.by)}`
  return `${colour(said.decision)}${by}${said.reason === undefined ? '' : `: ${plain(said.reason)}`}`
}

export function signOf(said: Said): string {
  if (said === 'matched') return green('●')
  return said === 'not matched' ? dim('·') : yellow('?')
}

function spanWords(span: Span | undefined): string {
  return span ? `  ${cut(plain(span.text), 80)} ${dim(`bytes ${span.from}–${span.to}`)}` : ''
}

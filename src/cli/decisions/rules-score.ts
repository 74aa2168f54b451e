/** Scores the guards on labelled commands. */
import { tookWords } from '../../core/text/amount.ts'
import { LABELS, type Score, scoreCorpus } from '../../decisions/guards/index.ts'
import type { Input } from '../framework/define.ts'
import { readInput } from '../framework/read.ts'
import { bold, cut, dim, note, out, outJson, plain, red, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

const SHOWN_MISSES = 20
const SHOWN_ASKED = 10

/** Needs no daemon. */
export async function run({ args, flags }: Input<typeof commands.rulesScore>): Promise<number> {
  const { corpus: file } = args
  const { preset, json } = flags
  const text = await readInput(file)
  const found = scoreCorpus(text, { preset, file: plain(file) })
  const { blocked, allowed, notSafe, unlabelled, unknownLabels, asLabelled, p50Ms, p99Ms } = found
  if (unknownLabels.length > 0) {
    const odd = cut(plain(unknownLabels.join(', ')), 100)
    note(`Not judged, because the label is unknown: ${odd}. Known: ${Object.keys(LABELS).join(', ')}`)
  }
  if (json) outJson(found)
  else {
    out(
      `${bold(`${asLabelled === null ? 'nothing to judge' : `${asLabelled.toFixed(2)}% as labelled`}`)}, preset ${preset}`,
    )
    if (blocked.of > 0)
      out(`  to block  ${blocked.hits} of ${blocked.of} denied or asked (${blocked.asked} asked)`)
    if (allowed.of > 0)
      out(`  to allow  ${allowed.falseAlarms} of ${allowed.of} denied (${allowed.asked} asked)`)
    if (notSafe.of > 0)
      out(`  not safe  ${notSafe.denied} of ${notSafe.of} denied, ${notSafe.asked} asked; not judged`)
    if (unlabelled > 0) out(`  ${unlabelled} without a label`)
    out(`  time      p50 ${tookWords(p50Ms)}, p99 ${tookWords(p99Ms)}`)
    outMisses(found.misses, red('✗'), SHOWN_MISSES)
    outMisses(found.askedHarmless, yellow('? harmless,'), SHOWN_ASKED)
    outMisses(found.onlyAsked, yellow('? to deny,'), SHOWN_ASKED)
  }
  return 0
}

function outMisses(misses: Score['misses'], mark: string, most: number): void {
  for (const { line, said, guard, command } of misses.slice(0, most))
    out(`${mark} ${line}: ${said}${guard === undefined ? '' : ` by ${guard}`}: ${cut(plain(command), 100)}`)
  if (misses.length > most) out(dim(`… and ${misses.length - most} more; --json prints all`))
}

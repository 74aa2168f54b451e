/** Decisions and judgements: mark, word and colour. */
import type { Said } from '../../client/index.ts'
import { shown } from '../parts/format.ts'

const TONES: Readonly<Record<string, readonly [mark: string, tone: string]>> = {
  deny: ['✖', 'error'],
  ask: ['▲', 'need'],
  allow: ['✓', 'work'],
  'block-stop': ['●', 'busy'],
  change: ['◐', 'busy'],
  rewrite: ['◐', 'busy'],
  context: ['+', 'done'],
  notify: ['+', 'done'],
  watch: ['○', 'quiet'],
  off: ['·', 'quiet'],
  none: ['·', 'quiet'],
}

export function Decision({ of }: { readonly of: string }) {
  const [mark, tone] = TONES[of] ?? ['·', 'plain']
  return (
    <span className={`nowrap ${tone}`}>
      <span aria-hidden="true">{mark} </span>
      {shown(of)}
    </span>
  )
}

const SIGNS: Readonly<Record<Said, readonly [mark: string, tone: string]>> = {
  matched: ['●', 'work'],
  'not matched': ['·', 'quiet'],
  'not understood': ['?', 'need'],
}

export function Judged({ said }: { readonly said: Said }) {
  const [mark, tone] = SIGNS[said]
  return (
    <span className={`nowrap ${tone}`}>
      <span aria-hidden="true">{mark} </span>
      {said}
    </span>
  )
}

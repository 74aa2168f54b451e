/** Signs of a session: the mark of its state and the glyph of its agent. The word beside a mark says the same. */
import { factsOf } from '../../agents/facts.ts'
import type { Look } from '../../client/index.ts'

export function Mark({ look }: { readonly look: Pick<Look, 'mark' | 'tone'> }) {
  return (
    <span className={`mark ${look.tone}`} aria-hidden="true">
      {look.mark}
    </span>
  )
}

export function Glyph({ agent }: { readonly agent: string }) {
  return (
    <span className="glyph" role="img" aria-label={agent} title={agent}>
      {factsOf(agent).glyph}
    </span>
  )
}

/** The keys that work now, and what the marks mean. */
import { AGENT_NAMES } from '../agents/facts.ts'
import { LEGEND, LOOKS } from '../sessions/state/look.ts'
import { shownKeys } from './keys.ts'
import { Dialog } from './parts/dialog.tsx'
import { Glyph, Mark } from './parts/mark.tsx'

export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys and marks" onClose={onClose} wide>
      <dl className="keys">
        {shownKeys().map(({ shown, does }) => (
          <div key={shown}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h3>Sessions</h3>
      <ul className="signs">
        {LEGEND.map(([status, meaning]) => (
          <li key={status}>
            <Mark look={LOOKS[status]} /> {meaning}
          </li>
        ))}
      </ul>
      <h3>Agents</h3>
      <ul className="signs">
        {AGENT_NAMES.map((agent) => (
          <li key={agent}>
            <Glyph agent={agent} /> {agent}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

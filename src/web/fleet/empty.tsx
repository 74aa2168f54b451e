/** The fleet without sessions: what a new user does next, or what the filters hide. */
import { Button } from '../parts/controls.tsx'
import { Command, Empty } from '../parts/empty.tsx'
import { startDemo } from './act.ts'

export function NewUser() {
  return (
    <Empty title="No agent has reported yet">
      <p>gantry hears of your coding agents through their hooks. Two steps, in a terminal:</p>
      <ol className="steps">
        <li>
          <span>
            Connect the agents that are installed. It shows what it changes, and takes it back exactly.
          </span>
          <Command>gantry install</Command>
        </li>
        <li>
          <span>Start an agent as always. Its session appears here with its first prompt.</span>
        </li>
      </ol>
      <p>Or look around first, with recorded sessions of five agents:</p>
      <div className="actions">
        <Button kind="main" onClick={() => void startDemo()}>
          Play the demo
        </Button>
      </div>
    </Empty>
  )
}

export function NothingShown({
  hidden,
  onAll,
}: {
  readonly hidden: readonly string[]
  readonly onAll: () => void
}) {
  return (
    <Empty title="No session matches">
      <p>Hidden: {hidden.join(', ')}.</p>
      <div className="actions">
        <Button onClick={onAll} hint="esc">
          Show all
        </Button>
      </div>
    </Empty>
  )
}

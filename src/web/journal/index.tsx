/** The journal on the page. */
import { Command, Empty } from '../parts/empty.tsx'

export default function Journal() {
  return (
    <Empty title="Journal">
      <p>This view is not built yet. On the command line:</p>
      <Command>gantry events</Command>
    </Empty>
  )
}

/** Insights on the page. */
import { Command, Empty } from '../parts/empty.tsx'

export default function Insights() {
  return (
    <Empty title="Insights">
      <p>This view is not built yet. On the command line:</p>
      <Command>gantry status</Command>
    </Empty>
  )
}

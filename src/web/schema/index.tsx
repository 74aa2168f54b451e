/** The schema on the page. */
import { Command, Empty } from '../parts/empty.tsx'

export default function Schema() {
  return (
    <Empty title="Schema">
      <p>This view is not built yet. On the command line:</p>
      <Command>gantry schema analyze</Command>
    </Empty>
  )
}

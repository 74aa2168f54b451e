/** The doctor on the page. */
import { Command, Empty } from '../parts/empty.tsx'

export default function Doctor() {
  return (
    <Empty title="Doctor">
      <p>This view is not built yet. On the command line:</p>
      <Command>gantry doctor</Command>
    </Empty>
  )
}

/** Rules on the page. */
import { Command, Empty } from '../parts/empty.tsx'

export default function Rules() {
  return (
    <Empty title="Rules">
      <p>This view is not built yet. On the command line:</p>
      <Command>gantry rules list</Command>
    </Empty>
  )
}

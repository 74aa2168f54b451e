/** The bus on the page. */
import { Command, Empty } from '../parts/empty.tsx'

export default function Bus() {
  return (
    <Empty title="Bus">
      <p>This view is not built yet. On the command line:</p>
      <Command>gantry bus status</Command>
    </Empty>
  )
}

/** The page in the browser: connects to the daemon that served it, and shows the view that the address names. */
import { createRoot } from 'react-dom/client'
import { listenForKeys } from './keys.ts'
import { connect } from './live/connection.ts'
import { keepTitle } from './live/title.ts'
import { askAhead } from './session/ahead.ts'
import { Shell } from './shell.tsx'

const root = document.getElementById('page')
if (root) {
  askAhead(location.pathname)
  connect()
  keepTitle()
  listenForKeys()
  createRoot(root).render(<Shell />)
}

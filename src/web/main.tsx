/** The page in the browser. */
import { createRoot } from 'react-dom/client'

const root = document.getElementById('page')
if (root) createRoot(root).render(<p>gantry</p>)

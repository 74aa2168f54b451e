/** A session as a file: a trace for Perfetto, or one HTML page to share. */
import { useState } from 'react'
import type { SessionView } from '../../../client/index.ts'
import { Button } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Command } from '../../parts/empty.tsx'
import { toast, toastError } from '../../parts/toast.tsx'

interface Props {
  readonly session: SessionView
  readonly onClose: () => void
}

export function ExportDialog({ session, onClose }: Props) {
  const [changes, setChanges] = useState(true)
  const [transcript, setTranscript] = useState(true)
  const [busy, setBusy] = useState(false)
  const run = async (what: 'html' | 'trace') => {
    setBusy(true)
    try {
      const { saveHtml, saveTrace } = await import('./make.ts')
      await (what === 'trace' ? saveTrace(session) : saveHtml(session, { changes, transcript }))
      toast('The browser saves the file.', 'done')
      onClose()
    } catch (error) {
      toastError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Export ${session.name}`} onClose={onClose}>
      <section className="export">
        <h3>One page to share</h3>
        <p className="quiet">
          An HTML file with the figures and the timeline. It has no script and loads nothing. Secrets that
          gantry knows are taken out; read it before you share it.
        </p>
        <label>
          <input type="checkbox" checked={changes} onChange={() => setChanges(!changes)} /> with what it
          changed
        </label>
        <label>
          <input type="checkbox" checked={transcript} onChange={() => setTranscript(!transcript)} /> with the
          transcript
        </label>
        <Button kind="main" disabled={busy} onClick={() => void run('html')}>
          Save as HTML
        </Button>
      </section>
      <section className="export">
        <h3>A trace</h3>
        <p className="quiet">
          Turns, tools, waits and sub-agents as spans, for ui.perfetto.dev. On the command line:
        </p>
        <Command>{`gantry trace ${session.name} --perfetto --out ${session.name}.trace.json`}</Command>
        <Button disabled={busy} onClick={() => void run('trace')}>
          Save the trace
        </Button>
      </section>
    </Dialog>
  )
}

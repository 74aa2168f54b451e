/** Asks before something that cannot be taken back; says what happens, and what went wrong. */
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../core/errors.ts'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { toast } from './toast.tsx'

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** What the button does, in its words. */
  readonly action: string
  readonly kind?: 'main' | 'danger'
  /** Gives what to tell when it is done. */
  readonly run: () => Promise<string>
  readonly onClose: () => void
}

export function Confirm({ title, children, action, kind = 'main', run, onClose }: Props) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      toast(await run(), 'done')
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind={kind} disabled={busy} onClick={() => void act()}>
          {action}
        </Button>
      }
    >
      {children}
      {problem === undefined ? null : (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

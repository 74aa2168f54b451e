/** A dialog of the browser's own: it keeps the focus, Escape closes it, and the focus goes back where it was. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './controls.tsx'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons beside "Close". */
  readonly actions?: ReactNode
  readonly wide?: boolean
}

export function Dialog({ title, onClose, children, actions, wide = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog in every browser; the click is on its backdrop
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClick={(event) => event.target === ref.current && onClose()}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="dialog-inside">
        <h2 id={id}>{title}</h2>
        {children}
        <div className="actions end">
          {actions}
          <Button onClick={onClose} hint="esc">
            Close
          </Button>
        </div>
      </div>
    </dialog>
  )
}

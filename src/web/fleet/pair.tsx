/** Pairing: the owner confirms once, in a terminal, that this browser may answer for them. */
import { useEffect, useState } from 'react'
import { messageOf } from '../../core/errors.ts'
import { type Pairing, pairing } from '../live/device.ts'
import { shared } from '../live/shared.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Command } from '../parts/empty.tsx'
import { toast } from '../parts/toast.tsx'

const LOOK_MS = 1_000

const wanted = shared(false)

export function askToPair(): void {
  wanted.set(true)
}

export function PairDialog() {
  return wanted.use() ? <Inside onClose={() => wanted.set(false)} /> : null
}

function Inside({ onClose }: { readonly onClose: () => void }) {
  const [found, setFound] = useState<Pairing>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const look = async () => {
      try {
        const now = await pairing()
        if (over) return
        if (now.allowed) {
          toast('This browser may answer now. Press Approve or Deny again.', 'done')
          onClose()
          return
        }
        setFound(now)
        setProblem(undefined)
      } catch (error) {
        if (!over) setProblem(messageOf(error))
      }
      if (!over) timer = setTimeout(look, LOOK_MS)
    }
    void look()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [onClose])
  return (
    <Dialog title="May this browser answer for you?" onClose={onClose}>
      <p>
        An answer lets an agent go on, so being signed in is not enough. Confirm this browser once, in a
        terminal of yours:
      </p>
      {found?.code === undefined ? null : (
        <>
          <p className="code-big" role="img" aria-label={`Code ${[...found.code].join(' ')}`}>
            {found.code}
          </p>
          <Command>{`gantry web allow ${found.code}`}</Command>
        </>
      )}
      {problem === undefined ? (
        <p className="quiet" role="status">
          Waiting for it. This closes by itself.
        </p>
      ) : (
        <p className="error">{problem}</p>
      )}
    </Dialog>
  )
}

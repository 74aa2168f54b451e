/** @jsxImportSource @opentui/react */
/**
 * Owns the terminal while a view is open and restores it at the end, also after a signal or an exception. Nothing here
 * waits for a reply of the terminal, which over SSH may never come.
 */
import { type CliRenderer, createCliRenderer, type KeyEvent, type PasteEvent } from '@opentui/core'
import { createRoot } from '@opentui/react'
import { Component, type ReactNode } from 'react'
import { messageOf } from '../core/errors.ts'
import { cleanCells, plain } from '../core/text/text.ts'
import { within } from '../core/time/waits.ts'
import type { Key } from './model/keys.ts'

const MAX_FPS = 60
const CLOSE_LIMIT_MS = 500
const RESIZE_MS = 20 // debounce: a dragged window reports its size many times a second

export interface Screen {
  readonly renderer: CliRenderer
  show(view: ReactNode): void
  /** Gives the terminal to another program while `work` runs. */
  lend<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the terminal is restored. */
  close(): Promise<void>
}

export async function openScreen(onKey: (key: Key) => void): Promise<Screen> {
  let exit = 0
  let isClosing = false
  const given = Promise.withResolvers<void>()
  const renderer = await createCliRenderer({
    exitOnCtrlC: false,
    exitSignals: ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'],
    useMouse: true,
    enableMouseMovement: false,
    useKittyKeyboard: null,
    targetFps: MAX_FPS,
    maxFps: MAX_FPS,
    consoleMode: 'disabled',
    debounceDelay: RESIZE_MS,
    onDestroy: () => {
      given.resolve()
      // After a signal or a failure nobody else ends the process.
      if (!isClosing) setImmediate(() => process.exit(exit))
    },
  })
  const fail = (error: unknown) => {
    if (exit !== 0) return
    exit = 1
    renderer.destroy()
    process.stderr.write(`gantry: the screen failed: ${plain(messageOf(error))}\n`)
  }
  // The renderer would print it somewhere on the screen and continue in a broken state.
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  renderer.keyInput.on('keypress', (event) => {
    const key = keyOf(event)
    if (key) onKey(key)
  })
  renderer.keyInput.on('paste', (event: PasteEvent) =>
    onKey({
      kind: 'paste',
      text: cleanCells(Buffer.from(event.bytes).toString('utf8').replace(/\s+/g, ' ')),
    }),
  )
  const root = createRoot(renderer)
  return {
    renderer,
    show: (view) => root.render(<Guard onFail={fail}>{view}</Guard>),
    lend: async (work) => {
      renderer.suspend()
      try {
        return await work()
      } finally {
        renderer.resume()
      }
    },
    close: async () => {
      isClosing = true
      root.unmount()
      renderer.destroy()
      await within(given.promise, CLOSE_LIMIT_MS)
    },
  }
}

/** React swallows errors while drawing, which would leave an empty screen; this reports them. */
class Guard extends Component<{ readonly onFail: (error: unknown) => void; readonly children: ReactNode }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFail(error)
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}

/** A typed character, or the name of a key. */
function keyOf(event: KeyEvent): Key | undefined {
  if (event.eventType === 'release') return undefined
  if (event.name === 'escape') return { kind: 'key', name: 'escape' } // pressed twice in one read, it arrives as one with meta
  if (event.ctrl || event.meta || event.option)
    return event.ctrl ? { kind: 'key', name: event.name, ctrl: true } : undefined
  const text = event.sequence
  const isText = text !== '' && [...text].length === 1 && cleanCells(text) === text && text !== ''
  return isText ? { kind: 'text', text } : { kind: 'key', name: event.name }
}

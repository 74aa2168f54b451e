/**
 * The terminal while a view has it: taken on opening, given back as it was, also when the process is told to end or
 * something throws. Nothing here waits for an answer of the terminal, which over SSH may never come.
 */
import { type CliRenderer, createCliRenderer, type KeyEvent, type PasteEvent } from '@opentui/core'
import { createRoot, type Root } from '@opentui/react'
import type { Key } from './model/keys.ts'
import { cleanCells } from './model/text.ts'

const MAX_FPS = 30

export interface Screen {
  readonly renderer: CliRenderer
  readonly root: Root
  /** Gives the terminal to another program while `work` runs. */
  lend<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

export async function openScreen(onKey: (key: Key) => void): Promise<Screen> {
  const renderer = await createCliRenderer({
    exitOnCtrlC: false,
    exitSignals: ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'],
    useMouse: true,
    enableMouseMovement: false,
    useKittyKeyboard: null,
    targetFps: MAX_FPS,
    maxFps: MAX_FPS,
    consoleMode: 'disabled',
    onDestroy: () => setImmediate(() => process.exit(0)),
  })
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
    root,
    lend: async (work) => {
      renderer.suspend()
      try {
        return await work()
      } finally {
        renderer.resume()
      }
    },
    close: () => renderer.destroy(),
  }
}

/** A letter that was typed, or the name of a key. */
function keyOf(event: KeyEvent): Key | undefined {
  if (event.eventType === 'release') return undefined
  if (event.ctrl || event.meta || event.option)
    return event.ctrl ? { kind: 'key', name: event.name, ctrl: true } : undefined
  const text = event.sequence
  const isText = text !== '' && [...text].length === 1 && cleanCells(text) === text && text !== ''
  return isText ? { kind: 'text', text } : { kind: 'key', name: event.name }
}

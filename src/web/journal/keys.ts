/** The keys of the journal, as on the terminal. */
import { useKeys } from '../keys.ts'

interface Parts {
  readonly move: (by: number) => unknown
  readonly first: () => unknown
  readonly newest: () => unknown
  readonly pause: () => unknown
  readonly open: () => unknown
  readonly search: () => unknown
  readonly close: () => unknown
}

const PAGE = 20 // lines

export function useJournalKeys({ move, first, newest, pause, open, search, close }: Parts): void {
  useKeys([
    { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'next event', run: () => move(1) },
    { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'event before', run: () => move(-1) },
    { keys: ['^d', 'PageDown'], shown: 'ctrl-d', does: 'a page down', run: () => move(PAGE) },
    { keys: ['^u', 'PageUp'], shown: 'ctrl-u', does: 'a page up', run: () => move(-PAGE) },
    { keys: ['g', 'Home'], does: 'the first event of the journal', run: first },
    { keys: ['G', 'End'], does: 'the newest event, and follow', run: newest },
    { keys: [' '], shown: 'space', does: 'pause, go on', run: pause },
    { keys: ['Enter'], shown: '↵', does: 'open the event', run: open },
    { keys: ['/'], does: 'search all events', run: search },
    { keys: ['Escape'], shown: 'esc', does: 'close, then show all again', run: close },
  ])
}

/**
 * Finding events again: what of an event is searched, what a question means, and the piece of text that answers it.
 * Pure; the index itself is in `store/`, and the process that keeps it in `daemon/`.
 *
 *   const asked = questionOf('retry "exit code" src/up*')
 *   const pieces = piecesOf(event)
 *   snippetOf(pieces, asked)
 */
export { factToken, type IndexedText, indexedText, sessionOf } from './indexed.ts'
export { type Kind, type Piece, piecesOf, SEARCHED_TYPES } from './pieces.ts'
export { type Question, questionOf, type Term } from './question.ts'
export { type Snippet, snippetOf } from './snippet.ts'

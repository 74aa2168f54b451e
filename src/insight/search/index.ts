/**
 * Full-text search: which text of an event is searched, how a query is parsed, and the snippet that answers it. Pure; the
 * index itself is in `store/`, and search.ts here starts the process that maintains it.
 *
 *   const asked = questionOf('retry "exit code" src/up*')
 *   const pieces = piecesOf(event)
 *   snippetOf(pieces, asked)
 */
export { factToken, indexedText, sessionOf } from './indexed.ts'
export { piecesOf, SEARCHED_TYPES } from './pieces.ts'
export { type Question, questionOf } from './question.ts'
export { snippetOf } from './snippet.ts'

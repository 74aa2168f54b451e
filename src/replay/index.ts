/**
 * Recorded sessions: events of the journal as lines of a file, and lines of a file played through the door again, under
 * session ids of their own. The recordings of `gantry demo` are here, too.
 *
 *   const read = readLine(text)
 *   if ('line' in read) await play([read.line], { places: places(), speed: 10, maxGapMs: 2_000 })
 */
export { type DemoRecording, demoRecordings } from './demo.ts'
export { importedOf } from './imported.ts'
export { type Played, type PlayOptions, play } from './play.ts'
export { type ReadLine, type Recordable, type RecordedLine, readLine, recordedLine } from './recorded.ts'

/**
 * Recorded sessions: writes events of the journal as lines of a file, and replays such lines through the daemon's socket
 * under new session ids. Contains the recordings of `gantry demo`, too.
 *
 *   const read = readLine(text)
 *   if ('line' in read) await play([read.line], { places: places(), speed: 10, maxGapMs: 2_000 })
 */
export { type DemoRecording, demoRecordings } from './demo.ts'
export { type Played, type PlayOptions, play } from './play.ts'
export { importedOf, type Recordable, type RecordedLine, readLine, recordedLine } from './recorded.ts'

/** Commands about the daemon itself. */
import { type Command, command, define } from '../framework/define.ts'
import { json } from '../framework/options.ts'

export const up = define({
  name: 'up',
  summary: 'Start the daemon',
  options: {
    foreground: { kind: 'flag', short: 'f', help: 'Run here until Ctrl-C instead of in the background' },
    quiet: { kind: 'flag', short: 'q', help: 'Print nothing when all is well' },
  },
  examples: [
    { line: 'gantry up', does: 'Starts the daemon in the background and prints where it listens' },
    { line: 'gantry up --foreground', does: 'Runs it in this terminal; Ctrl-C stops it until the next hook' },
  ],
})

export const down = define({
  name: 'down',
  summary: 'Stop the daemon',
  options: {
    'until-next-hook': { kind: 'flag', help: 'Let the next hook of an agent start it again' },
  },
  examples: [
    { line: 'gantry down', does: 'Stops it cleanly; hooks spool their events until "gantry up"' },
    { line: 'gantry down --until-next-hook', does: 'Stops it; the next hook starts it again' },
  ],
})

export const status = define({
  name: 'status',
  summary: 'Show the state of the daemon',
  options: { json },
  examples: [
    { line: 'gantry status', does: 'Up or down, since when, how many events; problems are listed below' },
    { line: 'gantry status --json | jq .lastSeq', does: 'Prints the sequence of the newest event' },
  ],
})

export const doctor = define({
  name: 'doctor',
  summary: 'Find problems, and print the fix for each',
  options: {
    deep: { kind: 'flag', help: 'Read the whole journal and check every page of the database' },
    json: { kind: 'flag', help: 'Print all findings as an array' },
  },
  examples: [
    { line: 'gantry doctor', does: 'Checks folders, daemon, hook client, journal, spool and drift' },
    { line: 'gantry doctor --deep', does: 'Also finds damage in the middle of the journal' },
    { line: 'gantry doctor --verbose', does: 'Prints every line, also where many are of one kind' },
  ],
})

export const commands: readonly Command[] = [
  command(up, () => import('./up.ts')),
  command(down, () => import('./down.ts')),
  command(status, () => import('./status.ts')),
  command(doctor, () => import('./doctor.ts')),
]

/** Commands about the daemon itself. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { json } from '../framework/options.ts'

export const up = define({
  name: 'up',
  summary: 'Start the daemon',
  options: {
    foreground: flag('Run here until Ctrl-C instead of in the background', 'f'),
    quiet: flag('Print nothing when all is well', 'q'),
  },
  examples: {
    'gantry up': 'Starts the daemon in the background and prints where it listens',
    'gantry up --foreground': 'Runs it in this terminal; Ctrl-C stops it until the next hook',
  },
})

export const down = define({
  name: 'down',
  summary: 'Stop the daemon',
  options: {
    'until-next-hook': flag('Let the next hook of an agent start it again'),
  },
  examples: {
    'gantry down': 'Stops it cleanly; hooks spool their events until "gantry up"',
    'gantry down --until-next-hook': 'Stops it; the next hook starts it again',
  },
})

export const status = define({
  name: 'status',
  summary: 'Show the state of the daemon',
  options: { json },
  examples: {
    'gantry status': 'Up or down, since when, how many events; problems are listed below',
    'gantry status --json | jq .lastSeq': 'Prints the sequence of the newest event',
  },
})

export const doctor = define({
  name: 'doctor',
  summary: 'Find problems, and print the fix for each',
  options: {
    deep: flag('Read the whole journal and check every page of the database'),
    json: flag('Print all findings as an array'),
  },
  examples: {
    'gantry doctor': 'Checks folders, daemon, hook client, journal, spool and drift',
    'gantry doctor --deep': 'Also finds damage in the middle of the journal',
    'gantry doctor --verbose': 'Prints every line, also where many are of one kind',
  },
})

export const metrics = define({
  name: 'metrics',
  summary: 'Print what Prometheus reads from the daemon: latency, events, sessions, lag, cost',
  options: {
    'scrape-config': flag('Make a token that opens only the metrics, and print the lines for prometheus.yml'),
  },
  examples: {
    'gantry metrics': 'Prints what GET /metrics answers',
    'gantry metrics | grep gantry_sessions': 'Counts living sessions by agent and phase',
    'gantry metrics --scrape-config >> prometheus.yml': 'Lets a Prometheus of yours read them',
  },
})

export const backup = define({
  name: 'backup',
  summary: 'Copy the journal and the configuration while agents go on',
  args: [
    {
      name: 'target',
      kind: 'file',
      required: true,
      missing: 'Say where to, for example: gantry backup ~/backups.',
    },
  ],
  options: { json: flag('Print what was written as JSON') },
  examples: {
    'gantry backup ~/backups': 'Makes a new folder there, named after the time',
    'gantry backup /mnt/usb/monday': 'Makes this folder',
    'gantry backup journal.db': 'Copies only the journal, as one SQLite file',
  },
})

export const restore = define({
  name: 'restore',
  summary: 'Put a backup in place of the journal, which is kept aside',
  args: [
    {
      name: 'backup',
      kind: 'file',
      required: true,
      missing: 'Say which backup, for example: gantry restore ~/backups/gantry-2026-01-31-180000.',
    },
  ],
  options: {
    config: flag('Also put back gantry.toml, rules and handlers; those in place are kept aside'),
    json: flag('Print what was done as JSON'),
  },
  examples: {
    'gantry down && gantry restore ~/backups/gantry-2026-01-31-180000 && gantry up':
      'Goes back to the journal of that day',
    'gantry restore journal.db': 'Takes a single file, too',
  },
})

export const serviceInstall = define({
  name: 'service install',
  summary: 'Start the daemon at each login',
  examples: {
    'gantry service install': 'Writes a unit of your systemd, or a file for launchd, and starts it',
  },
})

export const serviceUninstall = define({
  name: 'service uninstall',
  summary: 'Start the daemon at login no more',
  examples: { 'gantry service uninstall': 'Stops it, and removes exactly what install wrote' },
})

export const serviceStatus = define({
  name: 'service status',
  summary: 'Show whether the daemon starts at login',
  options: { json },
  examples: { 'gantry service status': 'Exits with 1 unless it is installed as this gantry would write it' },
})

export const upgrade = define({
  name: 'upgrade',
  summary: 'Change the hook client and the daemon over to this version, and say how to get a newer one',
  examples: {
    'gantry upgrade': 'After an upgrade; nothing is lost meanwhile, and a second run changes nothing',
  },
})

export const commands: readonly Command[] = [
  command(up, () => import('./up.ts')),
  command(down, () => import('./down.ts')),
  command(status, () => import('./status.ts')),
  command(doctor, () => import('./doctor.ts')),
  command(metrics, () => import('./metrics.ts')),
  command(backup, () => import('./backup.ts')),
  command(restore, () => import('./restore.ts')),
  command(serviceInstall, () => import('./service.ts'), 'installed'),
  command(serviceUninstall, () => import('./service.ts'), 'uninstalled'),
  command(serviceStatus, () => import('./service.ts'), 'status'),
  command(upgrade, () => import('./upgrade.ts')),
]

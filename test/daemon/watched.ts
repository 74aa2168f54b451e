/**
 * A process with a watchdog, for the test of it: says "ready", and then does what its argument says.
 *
 *   bun test/daemon/watched.ts block|sleep|turn|stop <log> <seconds>
 */
import { startWatchdog } from '../../src/daemon/watchdog.ts'

const [what, log = '', limit] = process.argv.slice(2)
const stop = startWatchdog({ log, limitS: Number(limit) })
await Bun.sleep(1_500) // the thread counts by now
process.stdout.write('ready\n')
if (what === 'block') for (;;);
if (what === 'sleep') Bun.sleepSync(600_000)
if (what === 'stop') stop()
else setInterval(() => {}, 1_000)

/** The process that sends traces; ends with the daemon. */
import { runOtlpWorker } from '../../otlp/worker.ts'
import { out } from '../framework/terminal.ts'

export async function run(): Promise<number> {
  // Ignores Ctrl-C in the daemon's terminal: the daemon ends this process.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  await runOtlpWorker(console, (message) => out(JSON.stringify(message)))
  return 0
}

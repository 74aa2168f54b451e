/** The process that sends traces; ends with the daemon. */
import { runOtlpWorker } from '../../otlp/worker.ts'
import { out } from '../framework/terminal.ts'
import { ignoreTerminal } from '../framework/worker.ts'

export async function run(): Promise<number> {
  ignoreTerminal()
  await runOtlpWorker(console, (message) => out(JSON.stringify(message)))
  return 0
}

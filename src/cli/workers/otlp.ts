/** The process that sends traces; ends with the daemon. */
import { OtlpWorker, type WorkerPlaces } from '../../otlp/worker.ts'
import { serve } from '../framework/worker.ts'

export function run(): Promise<number> {
  return serve((places: WorkerPlaces, say) => new OtlpWorker(places, say))
}

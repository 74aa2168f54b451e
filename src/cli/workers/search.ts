/** The search process: updates the index, answers queries, ends with the daemon. */
import { SearchWorker, type WorkerPlaces } from '../../insight/search/worker.ts'
import { serve } from '../framework/worker.ts'

export function run(): Promise<number> {
  return serve((places: WorkerPlaces, say) => new SearchWorker(places, say))
}

/** Tasks: folders with one or more efforts. */
import { z } from 'zod'
import type { TaskRow } from '../../store/tables/row-types.ts'
import { openCall } from '../definition.ts'
import type { EffortView } from './effort.ts'

export interface TaskView extends TaskRow {
  readonly active: boolean
  readonly efforts: readonly EffortView[]
}

export const taskCalls = {
  'task.list': openCall({ summary: 'Tasks and their efforts', result: z.custom<TaskView[]>() }),
}

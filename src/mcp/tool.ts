/** What a tool is. */
import type { z } from 'zod'
import type { Places } from '../core/files/paths.ts'
import type { Project } from './project.ts'

export interface Asked {
  readonly places: Places
  readonly project: Project
}

/** A tool: lines for the agent. None of them answers a permission, or changes a rule, a verdict or a setting. */
export interface Tool<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly args: Args
  readonly writes?: true
  answer(args: z.output<Args>, asked: Asked): Promise<readonly string[]>
}

export function tool<Args extends z.ZodObject>(definition: Tool<Args>): Tool {
  return definition as unknown as Tool
}

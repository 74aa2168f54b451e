/** Metadata of an effort: its own settings and guards, and free-form facts that gantry only stores. */
import { z } from 'zod'
import { issueWords } from '../../core/text/issue-words.ts'
import { guardsSchema } from '../guidance/guards.ts'
import { settingsProblem } from '../settings.ts'

const MAX_CHARS = 64 * 1024 // it is parsed again after every change of the effort

/** Strict when an effort starts; stored metadata is read leniently. */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= MAX_CHARS, 'larger than 64 KB')
  .superRefine(({ settings, guards }, check) => {
    const problem = settings === undefined ? undefined : settingsProblem(settings)
    if (problem !== undefined) check.addIssue({ code: 'custom', path: ['settings'], message: problem })
    const parsed = guards === undefined ? undefined : guardsSchema.safeParse(guards, { error: issueWords })
    for (const { path, message } of parsed?.error?.issues ?? [])
      check.addIssue({ code: 'custom', path: ['guards', ...path], message })
  })

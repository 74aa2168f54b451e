/** What a rule may say, in a file of the user's. Loaded only where there is such a file. */
import { z } from 'zod'
import { compilePattern, PatternError } from './pattern/index.ts'
import { isSlashed } from './rule.ts'

const DEFAULT_PRIORITY = 50

const pattern = z
  .string()
  .min(1)
  .superRefine((source, context) => checkPattern(source, context))

export const ruleSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an id is letters, digits, ".", "-" and "_"' }),
  priority: z.int().min(0).max(1000).default(DEFAULT_PRIORITY),
  on: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  agent: z.string().optional(),
  /** A name, or /pattern/. */
  tool: z
    .string()
    .min(1)
    .superRefine((text, context) => {
      if (isSlashed(text)) checkPattern(text.slice(1, -1), context)
    })
    .optional(),
  /** Dotted path in the canonical event → pattern. All must match. */
  match: z.record(z.string().min(1), pattern).default({}),
  decision: z.enum(['none', 'allow', 'deny', 'ask', 'block-stop']).default('none'),
  /** What the rule says where it cannot tell whether it is meant. Unset: ask for deny and ask, pass for the rest. */
  onUnknown: z.enum(['ask', 'deny', 'pass']).optional(),
  reason: z.string().optional(),
  /** Fields laid over the tool's input. */
  input: z.record(z.string(), z.unknown()).optional(),
  context: z.union([z.string(), z.array(z.string())]).optional(),
  systemMessage: z.string().optional(),
})

export const rulesFileSchema = z.strictObject({ rules: z.array(ruleSchema) })

export type RuleText = z.infer<typeof ruleSchema>

function checkPattern(source: string, context: z.RefinementCtx<string>): void {
  try {
    compilePattern(source)
  } catch (error) {
    const message = error instanceof PatternError ? error.message : 'not a valid regular expression'
    context.addIssue({ code: 'custom', message })
  }
}

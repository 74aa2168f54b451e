/** The table `[approvals]` of gantry.toml. */
import { z } from 'zod'
import { AGENT_NAMES } from '../../agents/facts.ts'

const MAX_WAIT_S = 600 // as long as the hook client can be held; agents give its hooks a minute more

export const approvalsSchema = () =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        'Let `gantry approve` and `deny` answer permissions of agents that show their own dialog meanwhile (Claude Code in a terminal)',
      ),
    hold: z
      .array(z.enum(AGENT_NAMES))
      .default([])
      .describe(
        'Agents that are held for an answer although they show nothing meanwhile (docs/approvals.md says which, and when); what a rule wants asked and they cannot ask is held, too',
      ),
    wait_s: z
      .number()
      .min(1)
      .max(MAX_WAIT_S)
      .default(300)
      .describe('How long to wait for an answer; then the agent continues as without gantry'),
  })

export type ApprovalSettings = z.infer<ReturnType<typeof approvalsSchema>>

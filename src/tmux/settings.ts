/** `[tmux]` of gantry.toml: what is coloured, and how. */
import { z } from 'zod'

const COLOUR =
  /^(|default|(bright)?(black|red|green|yellow|blue|magenta|cyan|white)|colou?r([0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5])|#[0-9a-fA-F]{6})$/

/** Lower case: `#D` and `#F` are variables to tmux. */
const colour = (otherwise: string, help: string) =>
  z
    .string()
    .regex(COLOUR, 'a colour of tmux, such as red, colour208 or #ff8700; empty for none')
    .transform((text) => text.toLowerCase())
    .default(otherwise)
    .describe(help)

export const tmuxSettingsSchema = () =>
  z.strictObject({
    pane: z
      .enum(['border', 'background', 'both', 'none'])
      .default('border')
      .describe('What of a pane follows the status of its agent, where `gantry tmux apply` was run'),
    error: colour('red', 'Colour of what failed'),
    attention: colour('yellow', 'Colour of what waits for you'),
    working: colour('green', 'Colour of what works'),
    checked: colour('', 'Colour of what is done and was looked at; empty leaves your own'),
    done: colour('cyan', 'Colour of what is done and was not looked at yet'),
    error_background: colour('#3a1414', 'Background of the pane of what failed'),
    attention_background: colour('#33290a', 'Background of the pane of what waits for you'),
    working_background: colour('', 'Background of the pane of what works'),
    checked_background: colour('', 'Background of the pane of what is done and was looked at'),
    done_background: colour('#0e1d2e', 'Background of the pane of what is done and was not looked at yet'),
  })

export type TmuxSettings = z.infer<ReturnType<typeof tmuxSettingsSchema>>

/** `[tmux]` of gantry.toml: what is coloured, and how. */
import { z } from 'zod'

const COLOUR =
  /^(|default|(bright)?(black|red|green|yellow|blue|magenta|cyan|white)|colou?r([0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5])|#[0-9a-fA-F]{6})$/

/** Lower case, because `#D` and `#F` are variables in tmux. */
const colour = (otherwise: string, help: string) =>
  z
    .string()
    .regex(COLOUR, 'a colour of tmux, such as red, colour208 or #ff8700; empty for none')
    .transform((text) => text.toLowerCase())
    .default(otherwise)
    .describe(help)

export const tmuxSchema = () =>
  z.strictObject({
    pane: z
      .enum(['border', 'background', 'both', 'none'])
      .default('border')
      .describe('Which part of a pane shows the status of its agent, after `gantry tmux apply`'),
    error: colour('red', 'Colour of sessions that failed'),
    attention: colour('yellow', 'Colour of sessions that wait for you'),
    working: colour('green', 'Colour of working sessions'),
    checked: colour('', 'Colour of finished sessions you have looked at; empty keeps your own'),
    done: colour('cyan', 'Colour of finished sessions you have not looked at'),
    error_background: colour('#3a1414', 'Pane background of sessions that failed'),
    attention_background: colour('#33290a', 'Pane background of sessions that wait for you'),
    working_background: colour('', 'Pane background of working sessions'),
    checked_background: colour('', 'Pane background of finished sessions you have looked at'),
    done_background: colour('#0e1d2e', 'Pane background of finished sessions you have not looked at'),
  })

export type TmuxSettings = z.infer<ReturnType<typeof tmuxSchema>>

/** Prints the manual page. */
import { VERSION } from '../../core/version.ts'
import { VISIBLE_COMMANDS } from '../commands.ts'
import { out } from '../framework/terminal.ts'
import { manPage } from './man-page.ts'

export async function run(): Promise<number> {
  out(manPage(VISIBLE_COMMANDS, VERSION))
  return 0
}

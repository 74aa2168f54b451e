/**
 * Restores the terminal's modes from before the agent: a killed agent may leave the terminal raw, on the alternate
 * screen, or reporting the mouse. Nothing here opens a stream, because Bun's would make the agent's terminal
 * non-blocking.
 */
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { isInFront, processRow } from '../core/processes/process-table.ts'

/** Harmless for a terminal that is in none of these modes. */
const ORDINARY = [
  '\u001b[?2026l', // end synchronized output
  '\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?1015l', // no mouse reports
  '\u001b[?1004l\u001b[?2031l', // no reports of focus and colours
  '\u001b[?2004l', // no bracketed paste
  '\u001b[?1l\u001b>', // normal cursor keys and keypad
  '\u001b[>4;0m', // no modifyOtherKeys (xterm)
  '\u001b[0m\u001b[?25h', // default colours, visible cursor
].join('')

/**
 * For an agent that had no time to restore. The cursor is saved, because leaving the alternate screen and the margins
 * moves it.
 */
const AFTER_A_KILL = '\u001b7\u001b[?1049l\u001b7\u001b[r\u001b8\u001b[<u'

export interface TerminalModes {
  /** `killed`: the agent could not restore anything itself. */
  restore(killed: boolean): Promise<void>
}

export function saveTerminal(): TerminalModes {
  const saved = isatty(0) ? stty('-g') : undefined
  return {
    async restore(killed) {
      const own = await processRow(process.pid)
      if (!own || !isInFront(own)) return
      if (isatty(1)) write(killed ? `${AFTER_A_KILL}${ORDINARY}` : ORDINARY)
      if (saved && stty('-g') !== saved) stty(saved)
    },
  }
}

function stty(argument: string): string | undefined {
  try {
    const ran = Bun.spawnSync(['stty', argument], { stdio: ['inherit', 'pipe', 'ignore'] })
    return ran.success ? ran.stdout.toString().trim() : undefined
  } catch {
    return undefined // no stty here: the shell restores what it needs
  }
}

function write(text: string): void {
  try {
    writeSync(1, text)
  } catch {
    // the terminal is gone
  }
}

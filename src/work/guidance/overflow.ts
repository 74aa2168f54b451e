/** The context fills up: first a warning, then the request to dehydrate. */
import type { WorkSettings } from '../config.ts'
import { logCommand, ownCommand } from './own-command.ts'

export type Fill = 'none' | 'warn' | 'dehydrate'

export function fillOf(usage: number, settings: WorkSettings): Fill {
  if (usage >= settings.overflow_dehydrate) return 'dehydrate'
  return usage >= settings.overflow_warn ? 'warn' : 'none'
}

export function overflowWords(usage: number, fill: Exclude<Fill, 'none'>, home?: string): string {
  const percent = `${Math.floor(usage * 100)}%`
  if (fill === 'warn') {
    return `The context is ${percent} full. Finish the current step and log it: ${logCommand(home, '<…>')}`
  }
  return [
    `The context is ${percent} full and will be closed. Before anything else, write down what the next window needs:`,
    'gantry effort dehydrate with JSON on stdin, such as',
    `${ownCommand('effort dehydrate', home)} <<'EOF'`,
    '{"task":"<what this is about>","decisions":["<what was decided, and why>"],"files":["<path>"],"nextSteps":["<first thing to do>"]}',
    'EOF',
    'Then stop. A fresh session continues from there.',
  ].join('\n')
}

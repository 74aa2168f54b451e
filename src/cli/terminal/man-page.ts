/** Makes the manual page of the definitions. */
import { COMMON_OPTIONS, type Definition, type Option } from '../framework/define.ts'
import { helpText, usageOf } from '../framework/help.ts'
import { wordOf } from '../framework/kinds.ts'

export function manPage(commands: readonly Definition[], version: string): string {
  const parts = [
    `.TH GANTRY 1 "" ${word(`gantry ${version}`)} "User Commands"`,
    '.SH NAME',
    'gantry \\- one local daemon for the hooks of every coding agent',
    '.SH SYNOPSIS',
    '.B gantry',
    '.br',
    '.B gantry',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'Without a command, on a terminal, gantry shows the fleet. The daemon is started with',
    '.B gantry up',
    'and by the hook client when it is needed.',
    '.SH COMMON OPTIONS',
    ...optionLines(COMMON_OPTIONS),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    '0 done, 1 failed, 2 wrong usage. The hook client and',
    '.B gantry bus emit',
    'have their own.',
    '.SH ENVIRONMENT',
    ...[
      ['GANTRY_HOME', 'Everything lives under this folder instead of the XDG ones'],
      ['NO_COLOR', 'No colours, whatever the output is'],
      ['FORCE_COLOR', 'Colours, also where the output is no terminal'],
    ].flatMap(([name = '', help = '']) => ['.TP', `.B ${text(name)}`, text(help)]),
    '.SH FILES',
    '.TP',
    '.I ~/.config/gantry/gantry.toml',
    'The configuration; the daemon reloads it by itself',
    '.TP',
    '.I ~/.local/state/gantry/',
    'Database, log and spool',
    '',
  ]
  return parts.join('\n')
}

function commandLines(command: Definition): string[] {
  const { name, summary, options = {}, examples = {} } = command
  return [
    `.SS ${word(`gantry ${name}`)}`,
    text(`${summary}.`),
    '.PP',
    `.B ${word(usageOf(command))}`,
    ...optionLines(options),
    ...Object.entries(examples).flatMap(([line, does]) => [
      '.PP',
      '.EX',
      text(line),
      '.EE',
      '.RS',
      text(does),
      '.RE',
    ]),
  ]
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const flags = `${option.short === undefined ? '' : `-${option.short}, `}--${name}`
    const value = option.kind === 'flag' ? '' : ` \\fI${escaped(wordOf(option))}\\fR`
    return ['.TP', `\\fB${escaped(flags)}\\fR${value}`, text(helpText(option))]
  })
}

/** Escapes a leading dot or apostrophe, which would start a request. */
function text(line: string): string {
  const safe = escaped(line)
  return /^[.']/.test(safe) ? `\\&${safe}` : safe
}

function escaped(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/~/g, '\\(ti')
    .replace(/\^/g, '\\(ha')
    .replace(/`/g, '\\(ga')
    .replace(/[^ -\u007e]/gu, inUnicode)
}

/** groff reads bytes, so a letter beyond ASCII is written by its code point. */
function inUnicode(letter: string): string {
  return `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}

/** One argument of a request. */
function word(line: string): string {
  return `"${escaped(line).replaceAll('"', '\\(dq')}"`
}

/**
 * What a shell command would do, found out without running it: the commands it starts, and the files and hosts they touch.
 *
 *   const effects = effectsOf(parseScript('G=git; $G push -f'), { cwd, home })
 *   effects.commands[1] // program: 'git', argv: git push -f
 */

export type { Command, Script, Word } from './command.ts'
export type { Effects, FileEffect, NetworkEffect } from './effects.ts'
export { effectsOf } from './effects.ts'
export { namesHome, plainCode } from './languages/code.ts'
export { lastAlternative } from './languages/output.ts'
export type { ScriptContext } from './paths.ts'
export { parseScript } from './script.ts'
export { unitedScripts } from './united.ts'
export { gitSettings } from './wrappers/git-commands.ts'

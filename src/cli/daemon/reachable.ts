import { homedir } from 'node:os'
import { join } from 'node:path'
import { realPath } from '../../core/files/real-path.ts'
import { npmCommand, selfPath } from '../../core/processes/self.ts'
import { shellWord } from '../../core/text/text.ts'
import { cyan, yellow } from '../framework/terminal.ts'

export function howToReach(): string[] {
  const own = npmCommand() ?? selfPath()
  const found = Bun.which('gantry')
  if (found !== null && realPath(found) === realPath(own)) return []
  const bin = join(homedir(), '.local/bin')
  const isOnPath = (process.env.PATH ?? '').split(':').includes(bin)
  const link = `mkdir -p ${shellWord(bin)} && ln -sf ${shellWord(own)} ${shellWord(join(bin, 'gantry'))}`
  const what = found === null ? '"gantry" is not on your PATH' : `"gantry" is another one, ${found}`
  return [
    `${yellow('!')} ${what}: this one is ${own}. To call it by its name:`,
    `  ${cyan(isOnPath ? link : `${link} && export PATH=${shellWord(bin)}:"$PATH"`)}`,
  ]
}

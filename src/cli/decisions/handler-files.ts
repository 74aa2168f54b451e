/** Writes an example of a warm handler, and tests the handlers of a file without the daemon, in the same kind of process. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { call } from '../../client/index.ts'
import { messageOf } from '../../core/errors.ts'
import { sdkFolder } from '../../core/processes/self.ts'
import { WarmWorker } from '../../decisions/handlers/warm-worker.ts'
import { handlerEnv, isAbout, specWarnings } from '../../decisions/index.ts'
import { eventFrom } from '../../sdk/index.ts'
import { inForce } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { readInput } from '../framework/read.ts'
import { bold, dim, green, note, out, outJson, plain, red, short, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

const EXAMPLE = `import { deny, handler, pass } from 'gantry/sdk'

// Asked before each tool call of every agent. \`commands\` are those that a shell tool would start.
export default handler({ on: 'PreToolUse' }, (event, ctx) => {
  const isPushToMain = event.commands.some(({ program, argv }) => {
    const words = argv.map(({ text }) => text)
    return program === 'git' && words.includes('push') && words.includes('main')
  })
  if (!isPushToMain) return pass()
  ctx.log(\`denied a push in \${ctx.session?.name ?? event.sessionId}\`)
  return deny('Push to a branch and open a pull request.')
})
`

export async function writeNew({
  args: { name },
  places,
}: Input<typeof commands.handlersNew>): Promise<number> {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(name))
    throw usageError(`Invalid name "${plain(name)}": use letters, digits, "-" and "_".`)
  const file = join(places.handlers, `${name}.ts`)
  mkdirSync(places.handlers, { recursive: true, mode: 0o700 })
  if (existsSync(file)) throw usageError(`${plain(file)} already exists. Choose another name.`)
  const settings = join(places.handlers, 'tsconfig.json')
  if (!existsSync(settings)) writeFileSync(settings, tsconfig(), { mode: 0o600 })
  writeFileSync(file, EXAMPLE, { mode: 0o600, flag: 'wx' })
  out(
    `wrote ${plain(short(file))}; ${await inForce(async () => (await call(places, 'bus.handlers')).some(({ id }) => id === name))}`,
  )
  out(`try it with: gantry handlers test ${plain(short(file))} event.json`)
  return 0
}

/** For editors: the worker itself resolves `gantry/sdk`. */
function tsconfig(): string {
  const compilerOptions = {
    ...{ target: 'ESNext', module: 'ESNext', moduleResolution: 'bundler', strict: true, noEmit: true },
    ...{ allowJs: true, allowImportingTsExtensions: true, skipLibCheck: true },
    paths: { 'gantry/sdk': [join(sdkFolder(), 'sdk/index.d.ts')] },
  }
  return `${JSON.stringify({ compilerOptions, include: ['**/*'] }, null, 2)}\n`
}

export async function test({ args, flags, places }: Input<typeof commands.handlersTest>): Promise<number> {
  const file = resolve(args.file)
  if (!existsSync(file)) throw usageError(`There is no file ${plain(args.file)}.`)
  const text = args.payload && (await readInput(args.payload))
  const log: string[] = []
  const worker = new WarmWorker(file, {
    dir: process.cwd(),
    env: handlerEnv(process.env, places.home),
    log: (line) => log.push(line),
  })
  try {
    const { handlers } = await worker.loaded
    for (const spec of handlers)
      for (const why of specWarnings(spec)) note(`${yellow('!')} ${plain(`${spec.id}: ${why}`)}`)
    if (text === undefined || text === '') {
      for (const { id, on, tool } of handlers)
        out(
          `${green('✓')} ${bold(id)} is asked about ${on.join(', ')}${tool ? ` of ${tool.join(', ')}` : ''}`,
        )
      return 0
    }
    const event = eventFrom(text, { ...(flags.agent ? { agent: flags.agent } : {}) })
    const results = []
    for (const [at, spec] of handlers.entries()) {
      const asked = isAbout(spec, event)
      const result = asked ? await worker.ask(at, { event, session: undefined }, spec.timeoutMs) : undefined
      results.push({ id: spec.id, asked, result })
    }
    for (const line of log) note(`${dim('log')} ${plain(line)}`)
    if (flags.json) outJson(results)
    else for (const { id, result } of results) out(`${bold(id)} ${wordsFor(result)}`)
    return results.some(({ result }) => result && result.kind !== 'said') ? 1 : 0
  } catch (error) {
    out(`${red('✗')} ${plain(messageOf(error))}`)
    return 1
  } finally {
    worker.kill()
  }
}

function wordsFor(result: Awaited<ReturnType<WarmWorker['ask']>> | undefined): string {
  if (!result) return dim('is not asked about this event')
  if (result.kind === 'failed') return red(`fails: ${plain(result.error)}`)
  if (result.kind === 'ended') return red(`fails: ${plain(result.how)}`)
  const { block, ask, approve, reason = '', input, inject, warnings } = result.output
  const said = [
    ...(block ? [red(`denies: ${plain(reason)}`)] : []),
    ...(ask ? [yellow(`asks: ${plain(reason)}`)] : []),
    ...(approve ? [green(`approves: ${plain(reason)}`)] : []),
    ...(input ? [yellow(`rewrites the input to ${plain(JSON.stringify(input))}`)] : []),
    ...inject.map((text) => `tells the model: ${plain(text)}`),
    ...warnings.map((text) => `tells the person: ${plain(text)}`),
  ]
  return said.length === 0 ? green('passes') : said.join('; ')
}

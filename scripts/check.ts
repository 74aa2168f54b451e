/** npm run check: lint and types in parallel. `npm test` runs them beside its first files. */
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const BIN = join(ROOT, 'node_modules/.bin')
const CHECKS = {
  lint: [join(BIN, 'biome'), 'check', '--error-on-warnings', '.'],
  // One checker needs 8.5 s of CPU time for a full check, four need 14; unchanged files are cached.
  types: [
    join(BIN, 'tsc'),
    ...['--noEmit', '--checkers', '1'],
    ...['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/gantry.tsbuildinfo'],
  ],
  // The page alone knows a browser's types.
  page: [
    join(BIN, 'tsc'),
    ...['-p', 'tsconfig.web.json', '--noEmit', '--checkers', '1'],
    ...['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/gantry-web.tsbuildinfo'],
  ],
} as const

/** Returns how many failed. Reports each as soon as it is done. */
export async function check(tell: (line: string) => void = console.log): Promise<number> {
  const failures = await Promise.all(
    Object.entries(CHECKS).map(async ([what, argv]) => {
      const { isGood, said } = await ran([...argv])
      const fix = /Formatter would have|organizeImports/.test(said)
        ? ': npm run format mends what is only formatting'
        : ''
      tell(isGood ? `✓ ${what}` : `${said}\n✗ ${what}${fix}`)
      return isGood ? [] : [what]
    }),
  )
  return failures.flat().length
}

/** Runs a tool to its end; its output matters only if it fails. */
export async function ran(argv: string[]): Promise<{ readonly isGood: boolean; readonly said: string }> {
  const child = Bun.spawn(argv, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { isGood: (await child.exited) === 0, said: said.join('') }
}

if (import.meta.main) process.exit((await check()) === 0 ? 0 : 1)

/**
 * The real Prometheus, for tests: the one on this machine, or that of Debian's package, unpacked into a cache and not
 * installed, since the package would start a server.
 *
 *   const { prometheus, promtool } = await prometheusPrograms()
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface PrometheusPrograms {
  readonly prometheus: string
  readonly promtool: string
}

export function prometheusPrograms(): PrometheusPrograms {
  const [prometheus, promtool] = [Bun.which('prometheus'), Bun.which('promtool')]
  if (prometheus && promtool) return { prometheus, promtool }
  const base = process.env.XDG_CACHE_HOME
  const cache = join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'gantry-prometheus')
  if (!existsSync(join(cache, 'usr/bin/promtool'))) unpack(cache)
  return { prometheus: join(cache, 'usr/bin/prometheus'), promtool: join(cache, 'usr/bin/promtool') }
}

function unpack(cache: string): void {
  if (!Bun.which('apt-get') || !Bun.which('dpkg-deb'))
    throw new Error(
      'The tests need prometheus and promtool on the PATH. Install Prometheus and run them again.',
    )
  mkdirSync(join(cache, '..'), { recursive: true })
  const draft = mkdtempSync(`${cache}-`)
  console.log('  unpacking the package prometheus for the tests')
  const ran = (...argv: string[]) => Bun.spawnSync(argv, { cwd: draft, stdout: 'ignore', stderr: 'pipe' })
  if (!ran('apt-get', 'download', 'prometheus').success) ran('apt-get', 'update', '-qq')
  const found = () => readdirSync(draft).find((name) => name.endsWith('.deb'))
  const again = found() ? undefined : ran('apt-get', 'download', 'prometheus')
  const file = found()
  if (file === undefined)
    throw new Error(
      `The package prometheus cannot be had (${again?.stderr}). Install Prometheus, then run this again.`,
    )
  const unpacked = ran('dpkg-deb', '-x', file, draft)
  if (!unpacked.success) throw new Error(`${file} cannot be unpacked: ${unpacked.stderr}`)
  rmSync(join(draft, file))
  try {
    renameSync(draft, cache)
  } catch {
    rmSync(draft, { recursive: true }) // another test was faster
  }
}

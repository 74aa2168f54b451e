/** The platforms of the npm packages, what each is built from, and what was tried on it. */
import pkg from '../../package.json' with { type: 'json' }

export interface Platform {
  /** `linux-x64-musl`: the package is `gantry-linux-x64-musl`. */
  readonly id: string
  readonly os: 'linux' | 'darwin'
  readonly cpu: 'x64' | 'arm64'
  readonly libc?: 'glibc' | 'musl'
}

export const PLATFORMS: readonly Platform[] = [
  { id: 'linux-x64', os: 'linux', cpu: 'x64', libc: 'glibc' },
  { id: 'linux-arm64', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { id: 'linux-x64-musl', os: 'linux', cpu: 'x64', libc: 'musl' },
  { id: 'linux-arm64-musl', os: 'linux', cpu: 'arm64', libc: 'musl' },
  { id: 'darwin-x64', os: 'darwin', cpu: 'x64' },
  { id: 'darwin-arm64', os: 'darwin', cpu: 'arm64' },
]

export const packageOf = ({ id }: Platform) => `gantry-${id}`

/** What the C compiler calls it. Linux gets one static client for every libc. */
export function zigTarget({ os, cpu }: Platform): string {
  return `${cpu === 'x64' ? 'x86_64' : 'aarch64'}-${os === 'linux' ? 'linux-musl' : 'macos'}`
}

/** Bun writes aarch64 in the names of its packages, and arm64 in those of its targets. */
export function bunPackage({ id }: Platform): string {
  return `@oven/bun-${id.replace('arm64', 'aarch64')}`
}

export const BUN_VERSION = pkg.dependencies.bun
export const OPENTUI_VERSION = pkg.dependencies['@opentui/core']

/** The platform of this process, as npm chooses it. */
export function ownPlatform(): Platform | undefined {
  const isMusl = process.platform === 'linux' && !glibc()
  return PLATFORMS.find(
    ({ os, cpu, libc }) =>
      os === process.platform && cpu === process.arch && (libc === undefined || (libc === 'musl') === isMusl),
  )
}

function glibc(): boolean {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return header?.glibcVersionRuntime !== undefined
}

import type { Finding } from '../client/index.ts'
import { readPlain } from '../core/files/small-file.ts'

interface Machine {
  readonly platform: string
  readonly arch: string
  readonly isMusl: boolean
  readonly isWsl: boolean
}

/** Empty on the platforms where the tests run. */
export function platformFindings(machine = thisMachine()): Finding[] {
  const tried = triedOn(machine)
  if (tried === undefined) return []
  return [
    {
      level: 'warn',
      about: 'platform',
      message: `nobody has tried gantry on ${tried}`,
      fix: 'gantry install --verify tries every installed hook',
    },
  ]
}

function triedOn({ platform, arch, isMusl, isWsl }: Machine): string | undefined {
  if (isWsl) return 'Windows within WSL. Agents and gantry have to run in the same WSL'
  if (platform === 'darwin') return `macOS (${arch}): it was only built`
  if (platform !== 'linux') return platform
  if (isMusl) return `Linux with musl (${arch}): only the hook client ran there, the daemon was only built`
  if (arch === 'arm64') return 'Linux on arm64: a few commands ran, under emulation'
  return arch === 'x64' ? undefined : `Linux on ${arch}`
}

function thisMachine(): Machine {
  const { platform, arch } = process
  const isWsl = platform === 'linux' && /microsoft/i.test(readPlain('/proc/version') ?? '')
  const isMusl = platform === 'linux' && /\/ld-musl-/.test(readPlain('/proc/self/maps') ?? '')
  return { platform, arch, isMusl, isWsl }
}

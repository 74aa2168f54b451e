/** Compiles gantry to one file: the program with Bun, the page and the hook client in it. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PAGE_ASSETS } from './build-page.ts'

const ROOT = join(import.meta.dir, '..')

/** opentui imports the library of every platform; npm installed only the one of this platform. */
const LIBRARY = /^@opentui\/core-(linux|darwin|win32)-/

interface Compilation {
  readonly outfile: string
  /** The hook client of the same platform. */
  readonly client: string
  /** For another platform: its Bun, its name for Bun, and its opentui library if there is one. */
  readonly other?: {
    readonly target: Bun.Build.CompileTarget
    readonly bun: string
    readonly isMusl: boolean
    readonly library: string | undefined
  }
}

export async function compile({ outfile, client, other }: Compilation): Promise<void> {
  const parts = mkdtempSync(join(dirname(PAGE_ASSETS), '.compile-'))
  const embedded = join(parts, 'gantry-hook.client')
  copyFileSync(client, embedded)
  try {
    const built = await Bun.build({
      // The second is the background thread. The others are embedded as they are; core/processes/embedded.ts finds them there.
      entrypoints: [
        join(ROOT, 'src/cli/main.ts'),
        join(ROOT, 'src/daemon/background/thread.ts'),
        PAGE_ASSETS,
        embedded,
      ],
      root: ROOT,
      loader: { '.assets': 'file', '.client': 'file' },
      compile: {
        outfile,
        // gantry is started inside repositories: it must not load their files.
        autoloadDotenv: false,
        autoloadBunfig: false,
        ...(other ? { target: other.target, executablePath: other.bun } : {}),
      },
      define: {
        'process.env.NODE_ENV': '"production"', // else Bun takes React's development build, which draws the fleet more slowly
        ...(other?.isMusl ? { 'process.env.OPENTUI_LIBC': '"musl"' } : {}),
      },
      minify: { syntax: true, whitespace: true },
      bytecode: true,
      // A command loads only its own modules: 16 ms of processor time for `gantry status` instead of 28.
      splitting: true,
      format: 'esm',
      plugins: [libraries(other?.library)],
      sourcemap: 'linked',
    })
    for (const { kind, path } of built.outputs) if (kind === 'sourcemap') rmSync(path) // they are embedded in the program
  } finally {
    rmSync(parts, { recursive: true })
  }
}

/**
 * Takes one library into the program, by default the one that npm installed here. The others are not left to be found when
 * gantry runs: that would be in the folder where it was started, and load what lies there.
 */
function libraries(folder: string | undefined): Bun.BunPlugin {
  return {
    name: 'the library of one platform',
    setup(build) {
      build.onResolve({ filter: LIBRARY }, ({ path }) => {
        const place = folder ?? join(ROOT, 'node_modules', path)
        const isIt = place.endsWith(`/${path}`) && existsSync(place)
        return isIt ? { path: join(place, 'index.bun.js') } : { path, namespace: 'absent' }
      })
      build.onLoad({ filter: LIBRARY, namespace: 'absent' }, ({ path }) => ({
        contents: `throw new Error('${path} is not in this build')\nexport default ''`,
        loader: 'js',
      }))
    },
  }
}

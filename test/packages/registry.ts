/**
 * An npm registry on loopback with a few packages: tarballs of `npm pack`, and what is needed to find them.
 *
 *   using registry = startRegistry([{ manifest, tarball }])   // npm install --registry registry.url gantry
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface Offered {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }
  /** The path of the file. */
  readonly tarball: string
}

export interface Registry extends Disposable {
  readonly url: string
  /** Paths that were asked for. */
  readonly asked: readonly string[]
}

export function startRegistry(offered: readonly Offered[]): Registry {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const path = decodeURIComponent(new URL(url).pathname).slice(1)
      asked.push(path)
      const tarball = offered.find((one) => path === `tarballs/${basename(one.tarball)}`)
      if (tarball) return new Response(Bun.file(tarball.tarball))
      const found = offered.find(({ manifest }) => manifest.name === path)
      return found
        ? Response.json(packument(found, new URL(url).origin))
        : new Response('{}', { status: 404 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

function packument({ manifest, tarball }: Offered, origin: string): object {
  const { name, version } = manifest
  const hash = new Bun.CryptoHasher('sha512').update(readFileSync(tarball)).digest('base64')
  const dist = { tarball: `${origin}/tarballs/${basename(tarball)}`, integrity: `sha512-${hash}` }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}

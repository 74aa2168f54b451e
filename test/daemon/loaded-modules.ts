/** A daemon that prints which modules it has: before its start, after it, and when it has loaded the rest. */
import { places } from '../../src/core/files/paths.ts'
import { startDaemon } from '../../src/daemon/index.ts'

const tell = () => console.log(JSON.stringify(Object.keys(require.cache)))

tell()
const daemon = await startDaemon({ places: places() })
tell()
const isLoaded = (name: string) => Object.keys(require.cache).some((file) => file.endsWith(name))
while (!['/server/bus-sse.ts', '/daemon/all-calls.ts', '/work/index.ts'].every(isLoaded)) await Bun.sleep(20)
tell()
await daemon.stop()

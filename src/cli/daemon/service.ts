/** Has the daemon started at login, and no more; by the service manager of the user. */
import { existsSync } from 'node:fs'
import type { Places } from '../../core/files/paths.ts'
import {
  askManager,
  installService,
  type Service,
  serviceFor,
  serviceState,
  uninstallService,
} from '../../install/index.ts'
import type { Input } from '../framework/define.ts'
import { cyan, green, out, outJson, plain, short, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function installed({ places }: Input<typeof commands.serviceInstall>): Promise<number> {
  const service = serviceFor(places, process.env)
  await installService(service, places, process.env)
  out(
    `${green('✓')} ${plain(short(service.file))}: ${service.manager} starts gantry at your login, and has now`,
  )
  if (service.manager === 'systemd')
    out(
      `  It ends with your last session. To keep it from the start of the machine on: ${cyan('loginctl enable-linger')}`,
    )
  else out(`${yellow('!')} The launchd file was never tried on a Mac: see whether "gantry status" answers.`)
  return 0
}

export async function uninstalled({ places }: Input<typeof commands.serviceUninstall>): Promise<number> {
  const service = serviceFor(places, process.env)
  const wasThere = await uninstallService(service, places, process.env)
  out(
    wasThere
      ? `${green('✓')} ${plain(short(service.file))} is gone; the first hook of an agent still starts the daemon`
      : 'There is no service of gantry.',
  )
  return 0
}

export async function status({ flags, places }: Input<typeof commands.serviceStatus>): Promise<number> {
  const service = serviceFor(places, process.env)
  const file = serviceState(service)
  const said = file === 'missing' ? 'not installed' : await askManager(service, process.env)
  if (flags.json) outJson({ manager: service.manager, path: service.file, file, state: said })
  else for (const line of linesOf(service, file, said)) out(line)
  return file === 'ours' ? 0 : 1
}

function linesOf({ manager, file: path, program }: Service, file: string, said: string): string[] {
  const where = plain(short(path))
  const again = `Run: ${cyan('gantry service install')}`
  if (file === 'missing') return [`not installed: there is no ${where}. ${again}`]
  if (file === 'foreign') return [`${yellow('!')} ${where} is not gantry's`]
  const head = `${manager}: ${plain(said)}; ${where}`
  if (file === 'changed')
    return [head, `${yellow('!')} it is not as this gantry would write it: another gantry, or you. ${again}`]
  return existsSync(program) ? [head] : [head, `${yellow('!')} ${plain(program)} is gone. ${again}`]
}

/** For `gantry uninstall --everything`, which leaves a service of somebody else alone. */
export async function removeService(places: Places): Promise<string | undefined> {
  const service = serviceFor(places, process.env)
  if (serviceState(service) === 'foreign') return undefined
  return (await uninstallService(service, places, process.env)) ? short(service.file) : undefined
}

/** Prints the metrics, or how Prometheus gets at them. */
import { call } from '../../client/index.ts'
import { readOrMakeToken } from '../../core/files/private-files.ts'
import type { Input } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.metrics>): Promise<number> {
  if (!flags['scrape-config']) {
    out((await call(places, 'metrics')).text.trimEnd())
    return 0
  }
  const { http } = await call(places, 'status')
  if (http === null) throw usageError('HTTP is off. Turn it on with: gantry config set http.enabled true')
  readOrMakeToken(places.metricsToken)
  out(scrapeConfig(new URL(http).host, places.metricsToken))
  return 0
}

/** JSON strings are YAML, too. */
function scrapeConfig(host: string, tokenFile: string): string {
  return [
    'scrape_configs:',
    '  - job_name: gantry',
    '    scrape_interval: 15s',
    '    authorization:',
    `      credentials_file: ${JSON.stringify(tokenFile)}`,
    '    static_configs:',
    `      - targets: [${JSON.stringify(host)}]`,
  ].join('\n')
}

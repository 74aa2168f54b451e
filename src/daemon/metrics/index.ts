/** The page of metrics; loaded when somebody asks for it. */
import type { RpcRegistry } from '../../rpc/index.ts'
import type { Services } from '../services.ts'
import { metricsText } from './collect.ts'
import { CONTENT_TYPE } from './exposition.ts'

export async function metricsPage(
  services: Services,
  rpc: RpcRegistry,
): Promise<{ readonly text: string; readonly type: string }> {
  return { text: await metricsText(services, rpc), type: CONTENT_TYPE }
}

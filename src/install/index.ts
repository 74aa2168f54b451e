/**
 * Integration with the machine: wiring agents, undoing that, and checking that all is well.
 *
 *   const [agent] = await findAgents(process.env)
 *   const plan = planInstall(agent, { places, env: process.env, asked: {} })
 */

export { planBundle, writeBundle } from './bundle.ts'
export { sendCanary } from './canary.ts'
export { applyInstall, applyRemoval, isSameContent, retryIfChanged, withInstallLock } from './change.ts'
export { runDoctor } from './doctor/doctor.ts'
export { type Starter, startersOf } from './edit/pointers.ts'
export { makeFolders, missingFolders, readForChange, replaceFile } from './files.ts'
export { type FoundAgent, findAgent, findAgents, wireable } from './find.ts'
export { type ClientState, clientState, installClient, installedClient, removeClient } from './hook-client.ts'
export { type Asked, type InstallPlan, planInstall } from './install.ts'
export {
  askManager,
  installService,
  type Service,
  serviceFor,
  serviceState,
  uninstallService,
} from './login-service.ts'
export { coverage, diffOf, moreInNewer, unwiredEvents } from './show.ts'
export { isNothingWired, planUninstall, type UninstallPlan } from './uninstall.ts'

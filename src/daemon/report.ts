/** Collects the problems of the daemon and its services. */
import { readerFindings } from '../bus/findings.ts'
import { hostsFindings } from '../bus/hosts/service.ts'
import { hubFindings } from '../bus/hub/service.ts'
import { stateWords } from '../decisions/rules/index.ts'
import { searchFindings } from '../insight/search/rpc.ts'
import { notifyFindings } from '../notify/service.ts'
import type { Finding } from '../rpc/index.ts'
import { pageFindings } from '../server/page/findings.ts'
import type { DriftRow } from '../store/index.ts'
import { configFindings } from './config/findings.ts'
import { daemonFindings } from './findings.ts'
import type { Services } from './services.ts'
import type { ReportParts } from './status.ts'

export async function findingsOf({ services, live, http, notes }: ReportParts): Promise<Finding[]> {
  const { places, store, pipeline, spool, clientVersions, search, insight, notifier, handlers } = services
  const problems = [live.problem, services.rules.problem].flatMap((all) => all?.split('\n') ?? [])
  return daemonFindings({
    store,
    pipeline,
    spool: await spool.look(),
    clientVersions,
    notes: [
      ...notes,
      ...configFindings(problems, places.configFile),
      ...http.findings(),
      ...(http.url === undefined ? [] : pageFindings()),
      ...searchFindings(search.problem),
      ...services.otlp.findings(),
      ...insight.findings(),
      ...warningsOf(services),
      ...(await projectFindings(services)),
      ...notifyFindings(notifier, store, live.now, places.config),
      ...(await busProblems(services)),
    ],
    handlers: handlers.list(),
    handlerProblems: handlers.problems,
    drifts: store.schemas.drifts(),
    openDrifts: await openDrifts(services),
    baselines: store.schemas.baselines(),
  })
}

/** Judged like `gantry schema diff`; if learning is off, only from the stored rows. */
async function openDrifts({ store, background }: Services): Promise<readonly DriftRow[]> {
  const rows = store.schemas.drifts().filter(({ acceptedAt }) => acceptedAt === null)
  if (rows.length === 0) return rows
  try {
    return await background.call('schema.open')
  } catch {
    return rows
  }
}

/** What cannot work in rules and warm handlers. */
function warningsOf({ rules, handlers }: Services): Finding[] {
  const finding = (about: string, message: string): Finding => ({
    level: 'warn',
    about,
    message,
    fix: 'Correct it',
  })
  return [
    ...rules.warnings.map((message) => finding('rules', message)),
    ...handlers.warnings.map((message) => finding('handler', message)),
  ]
}

/** Rules that repositories bring along and that do not apply, in the folders of living sessions. */
async function projectFindings({ rules, tracker, git }: Services): Promise<Finding[]> {
  const living = [...tracker.sessions.all()].filter(({ endedAt }) => endedAt === undefined)
  const roots = living.flatMap(({ cwd }) => git.locationOf(cwd).root ?? [])
  const states = (await rules.projects(roots)).filter(({ state }) => state !== 'trusted')
  return states.map((one) => ({ level: 'warn', about: 'rules', message: stateWords(one) }))
}

/** Problems of the parts that send messages to others; `bus status` shows them, too. */
export async function busProblems({ bus, background, hosts, hub }: Services): Promise<Finding[]> {
  const outgoing = await background.call('bus.problems')
  return [...readerFindings(bus), ...outgoing, ...hostsFindings(hosts), ...hubFindings(hub)]
}

/** Calls about rules. Trust in those of a project needs a proof by the approval key, and does not come from an agent. */
import { sameText } from '../../bus/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { writeAtomic } from '../../core/files/private-files.ts'
import type { Git } from '../../git/index.ts'
import type { ReadProcesses } from '../../journal/query-process.ts'
import type { CallHandlers, CounterView } from '../../rpc/index.ts'
import type { GuardSettings } from '../guards/config.ts'
import { guardList } from '../guards/list.ts'
import type { Guards } from '../guards/service.ts'
import type { Policy, Rule } from './index.ts'
import {
  proofOf,
  readProject,
  readTrusted,
  type Trusted,
  trustFile,
  trustIn,
  trustText,
} from './project-rules.ts'
import { tryRules } from './trial.ts'

interface RuleCallParts {
  readonly processes: ReadProcesses
  readonly places: Places
  readonly guardSettings: () => GuardSettings
  readonly counters: () => readonly CounterView[]
  readonly policy: Policy
  readonly guards: Guards
  /** Reads the repositories around folders. */
  readonly see: Git['see']
  readonly dir: string
  readonly key: () => string
}

export function ruleCalls({ policy, guards, see, dir, key, ...parts }: RuleCallParts) {
  const write = (trusted: ReadonlyMap<string, Trusted>) =>
    writeAtomic(trustFile(dir), trustText(trusted.values()))
  return {
    'rules.list': () => [
      ...policy.rules.map(viewOf),
      ...[...policy.projects].flatMap(([project, rules]) =>
        rules.map((rule) => ({ ...viewOf(rule), project })),
      ),
    ],
    'rules.test': async (args) => {
      const cwd = args.cwd ?? args.payload?.cwd
      if (typeof cwd === 'string') await see([cwd])
      return tryRules({ policy, guards }, args)
    },
    'rules.why': ({ event }, { signal }) => parts.processes.ask({ why: event, places: parts.places }, signal),
    'rules.rehearse': (rehearse, { signal }) =>
      parts.processes.ask({ rehearse, places: parts.places }, signal),
    'guards.list': () => guardList(parts.guardSettings(), parts.counters()),
    'rules.trust': ({ root, hash, proof }) => {
      if (!sameText(proof, proofOf(key(), root, hash)))
        throw new GantryError('PERMISSION', 'It is not proved with the approval key. Use: gantry rules trust')
      const project = readProject(root)
      if (project?.hash !== hash)
        throw new GantryError(
          'VALIDATION_ERROR',
          `The rules of ${root} changed after they were shown. Run the command again.`,
        )
      write(new Map([...readTrusted(dir, key), [root, trustIn(project, proof)]]))
      return { root }
    },
    'rules.untrust': ({ root }) => {
      const trusted = new Map(readTrusted(dir, key))
      if (!trusted.delete(root)) throw new GantryError('VALIDATION_ERROR', `No rules of ${root} are trusted.`)
      write(trusted)
      return { root }
    },
  } satisfies Partial<CallHandlers>
}

function viewOf({ text, warnings = [] }: Rule) {
  return { ...text, ...(warnings.length === 0 ? {} : { warnings }) }
}

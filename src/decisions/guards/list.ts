/** The guards as their owner sees them: mode, what each is about, how often and when it found something. */
import type { CounterView, GuardList } from '../../rpc/index.ts'
import type { GuardSettings } from './config.ts'
import { modesOf } from './judge.ts'
import { GUARDS } from './pack/index.ts'

export function guardList(settings: GuardSettings, counters: readonly CounterView[]): GuardList {
  const modes = modesOf(settings)
  // A guard counts under its id and what it did: `git-force-push deny`.
  const own = Map.groupBy(
    counters.filter(({ kind }) => kind === 'guard'),
    ({ key }) => key.split(' ', 1)[0] ?? '',
  )
  return {
    preset: settings.preset,
    one_strike: settings.one_strike,
    guards: GUARDS.map(({ id, about, instead }) => {
      const counted = own.get(id) ?? []
      return {
        id,
        mode: modes.get(id) ?? 'off',
        own: settings.modes[id] !== undefined,
        hits: counted.reduce((sum, { count }) => sum + count, 0),
        lastAt: counted.length === 0 ? null : Math.max(...counted.map(({ lastAt }) => lastAt)),
        about,
        instead,
      }
    }),
  }
}

/** What a lane is called. */
import type { Lane } from '../../../timeline/lanes.ts'

const NAMES: Readonly<Record<Lane['kind'], string>> = {
  turns: 'Turns',
  waits: 'Waits for you',
  tools: 'Tools',
  agent: '',
  compactions: 'Compactions',
  denials: 'Denials',
}

/** A sub-agent bears its own name. */
export function laneName({ kind, name }: Pick<Lane, 'kind' | 'name'>): string {
  return NAMES[kind] || name
}

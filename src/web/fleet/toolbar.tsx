/** Search and filters. Whatever a filter leaves out is said beside it. */
import type { RefObject } from 'react'
import { LOOKS } from '../../sessions/state/look.ts'
import { FILTERS, type Filter } from '../../sessions/state/tree.ts'
import { Chip, SearchField } from '../parts/controls.tsx'
import type { Shown } from './tree.ts'

interface Props {
  readonly search: string
  readonly filter: Filter
  readonly agent: string | undefined
  readonly agents: readonly string[]
  readonly counts: Shown['counts']
  readonly hidden: readonly string[]
  readonly field: RefObject<HTMLInputElement | null>
  readonly onSearch: (text: string) => void
  readonly onFilter: (filter: Filter) => void
  readonly onAgent: (agent: string | undefined) => void
  readonly onAll: () => void
}

const WORDS: Readonly<Record<Filter, string>> = {
  live: 'live',
  needs: LOOKS.asks.word,
  working: LOOKS.working.word,
  idle: LOOKS.idle.word,
  all: 'all',
}

export function Toolbar(props: Props) {
  const { search, filter, agent, agents, counts, hidden, field } = props
  return (
    <search className="bar" aria-label="Sessions">
      <SearchField
        label="Search sessions"
        hint="Search names, prompts, commands, answers"
        value={search}
        field={field}
        onType={props.onSearch}
      />
      <div className="chips">
        {FILTERS.map((one) => (
          <Chip key={one} on={one === filter} onClick={() => props.onFilter(one)}>
            {WORDS[one]} {counts[one]}
          </Chip>
        ))}
        {agents.length > 1 ? (
          <select
            className="chip"
            aria-label="Agent"
            value={agent ?? ''}
            onChange={({ target }) => props.onAgent(target.value || undefined)}
          >
            <option value="">all agents</option>
            {agents.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        ) : null}
        {hidden.length > 0 ? (
          <Chip onClick={props.onAll} title="Show all">
            hidden: {hidden.join(', ')}
          </Chip>
        ) : null}
      </div>
    </search>
  )
}

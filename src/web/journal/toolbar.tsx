/** Search, filters, and what they leave out. */
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { AGENT_NAMES } from '../../agents/facts.ts'
import { OWN_AGENT, STORED_TYPES } from '../../events/names.ts'
import { useLive } from '../live/store.ts'
import { Chip, SearchField } from '../parts/controls.tsx'
import { type Filter, type Filters, VERDICTS } from './filters.ts'

const OTHER = '\n' // the name of no tool
const SEARCH_MS = 100 // after the last letter; the enter key waits for nothing

interface Props {
  readonly words: string
  readonly filters: Filters
  /** Tools to choose from; any other can be typed. */
  readonly tools: readonly string[]
  readonly field: RefObject<HTMLInputElement | null>
  readonly hidden: string | undefined
  readonly children: ReactNode
  readonly onWords: (words: string) => void
  readonly onFilter: (name: Filter, value: string | undefined) => void
  readonly onAll: () => void
}

export function Toolbar({ words, filters, tools, field, hidden, children, onWords, onFilter, onAll }: Props) {
  const sessions = useLive(({ sessions: all }) => all)
  const hosts = useLive(({ hosts: all }) => all)
  const here = useLive(({ hello }) => hello?.host)
  const named = [...sessions.values()]
    .toSorted((a, b) => b.lastActivity - a.lastActivity)
    .slice(0, 100)
    .map(({ id, name, agent }) => [id, `${name} · ${agent}`] as const)
  const chip = (name: Filter, all: string, options: readonly (readonly [string, string])[]) => (
    <FilterChip {...{ name, all, options, onFilter }} value={filters[name]} />
  )
  return (
    <search className="bar journal-bar" aria-label="Events">
      <WordsField {...{ words, field, onWords }} />
      <div className="chips">
        {hidden === undefined ? null : (
          <Chip onClick={onAll} title="Show all">
            {hidden}
          </Chip>
        )}
        {chip('agent', 'all agents', same([...AGENT_NAMES, OWN_AGENT]))}
        {chip('session', 'all sessions', named)}
        {chip('type', 'all types', same([...STORED_TYPES].sort()))}
        <ToolChip {...{ tools, onFilter }} value={filters.tool} />
        {chip(
          'verdict',
          'any verdict',
          VERDICTS.map((one) => [one, one === 'none' ? 'no verdict' : one] as const),
        )}
        {hosts.length > 0 && here !== undefined
          ? chip('host', 'this host', same([here, ...hosts.map(({ host }) => host)]))
          : null}
        {children}
      </div>
    </search>
  )
}

function same(names: readonly string[]): (readonly [string, string])[] {
  return names.map((name) => [name, name] as const)
}

/** A list of those that are known, and a field for any other. */
function ToolChip({
  tools,
  value,
  onFilter,
}: Pick<Props, 'tools' | 'onFilter'> & Pick<FilterChipProps, 'value'>) {
  const [isTyped, setTyped] = useState(false)
  const onChoose = (name: Filter, chosen: string | undefined) =>
    chosen === OTHER ? setTyped(true) : onFilter(name, chosen)
  // The last one: arrows choose each option that they pass.
  const options = [...same(tools), [OTHER, 'other, by name…'] as const]
  if (!isTyped) return <FilterChip name="tool" all="all tools" {...{ value, options }} onFilter={onChoose} />
  const leave = (name: string) => {
    setTyped(false)
    if (name !== '' && name !== value) onFilter('tool', name)
  }
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it stands where its reader has just chosen to type
      autoFocus
      className="chip typed"
      aria-label="Name of the tool"
      placeholder="name, then ↵"
      maxLength={400}
      onBlur={({ target }) => leave(target.value.trim())}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        event.preventDefault()
        if (event.key === 'Escape') event.currentTarget.value = '' // for the blur that may follow
        leave(event.currentTarget.value.trim())
      }}
    />
  )
}

interface FilterChipProps {
  readonly name: Filter
  readonly all: string
  readonly value: string | undefined
  readonly options: readonly (readonly [string, string])[]
  readonly onFilter: Props['onFilter']
}

function FilterChip({ name, all, value, options, onFilter }: FilterChipProps) {
  const isListed = value === undefined || options.some(([one]) => one === value)
  return (
    <select
      className={value === undefined ? 'chip' : 'chip on'}
      aria-label={`Filter by ${name}`}
      value={value ?? ''}
      onChange={({ target }) => onFilter(name, target.value || undefined)}
    >
      <option value="">{all}</option>
      {isListed ? null : <option value={value}>{value}</option>}
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  )
}

function WordsField({ words, field, onWords }: Pick<Props, 'words' | 'field' | 'onWords'>) {
  const [typed, setTyped] = useState(words)
  useEffect(() => setTyped(words), [words])
  useEffect(() => {
    if (typed.trim() === words.trim()) return
    const timer = setTimeout(() => onWords(typed.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [typed, words, onWords])
  return (
    <SearchField
      label="Search all events"
      hint="Search prompts, answers, commands, paths"
      value={typed}
      field={field}
      onType={setTyped}
      onDone={onWords}
    />
  )
}

/** The learned schemas, by agent; the fields of one when it is opened. */
import { useState } from 'react'
import type { Field, Shape } from '../../client/index.ts'
import { percentWords, shortNumber } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { shown } from '../parts/format.ts'
import { type Column, Table } from '../parts/table.tsx'

const nameOf = ({ event, tool }: Shape) => [event, tool].filter(Boolean).join(' ')

export function Shapes({ shapes }: { readonly shapes: readonly Shape[] }) {
  const agents = Map.groupBy(shapes, ({ agent, version }) => [agent, version].filter(Boolean).join(' '))
  return (
    <>
      {[...agents].map(([agent, own]) => (
        <details key={agent} className="fold-part">
          <summary>
            <b>{shown(agent)}</b> <span className="quiet">{counted(own.length, 'kind')}</span>
          </summary>
          {[...own]
            .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
            .map((shape) => (
              <OneShape key={nameOf(shape)} shape={shape} />
            ))}
        </details>
      ))}
    </>
  )
}

interface Row {
  readonly path: string
  readonly field: Field
  readonly of: number
}

function OneShape({ shape }: { readonly shape: Shape }) {
  const [open, setOpen] = useState(false)
  const rows = open
    ? Object.entries(shape.fields).map(([path, field]): Row => ({ path, field, of: shape.count }))
    : []
  return (
    <details className="fold-part inner" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {shown(nameOf(shape))}{' '}
        <span className="quiet">
          {counted(Object.keys(shape.fields).length, 'field')}, {shortNumber(shape.count)} seen
          {shape.cut ? ', more fields than are kept' : ''}
        </span>
      </summary>
      {open ? (
        <Table
          label={`Fields of ${shown(nameOf(shape))}`}
          columns={COLUMNS}
          rows={rows}
          keyOf={({ path }) => path}
        />
      ) : null}
    </details>
  )
}

const MAX_VALUES = 6

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Field', cell: ({ path }) => <code className="wraps">{shown(path)}</code> },
  { name: 'Type', cell: ({ field }) => Object.keys(field.types).join(' | ') },
  {
    name: 'Present',
    number: true,
    cell: ({ field, of }) => percentWords((field.count / Math.max(1, of)) * 100),
  },
  {
    name: 'Values',
    cell: ({ field }) => {
      const values = Object.keys(field.values ?? {})
      const formats = Object.keys(field.formats ?? {})
      const more = values.length > MAX_VALUES ? ' …' : ''
      return (
        <span className="quiet wraps">
          {shown(values.length > 0 ? values.slice(0, MAX_VALUES).join(', ') + more : formats.join(', '))}
        </span>
      )
    },
  },
]

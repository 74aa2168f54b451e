/**
 * The views and their addresses. A view is a folder with an `index.tsx` whose default export is a component; it is loaded
 * when somebody opens it. To add one: that folder, and a line here.
 */
import { type ComponentType, lazy } from 'react'
import Fleet from './fleet/index.tsx'

interface ViewPlace {
  /** First part of the address. */
  readonly at: string
  readonly name: string
  readonly view: ComponentType
  /** Whose styles it has, if not those of its own name. */
  readonly styles?: 'fleet' | 'ops'
  /** There is nothing below its address. */
  readonly isOne?: true
  /** In the navigation. */
  readonly listed: boolean
}

export const VIEWS: readonly ViewPlace[] = [
  { at: '', name: 'Fleet', view: Fleet, listed: true, styles: 'fleet' }, // the first view: nothing to wait for
  { at: 'session', name: 'Session', view: lazy(() => import('./session/index.tsx')), listed: false },
  { at: 'journal', name: 'Journal', view: lazy(() => import('./journal/index.tsx')), listed: true },
  { at: 'insights', name: 'Insights', view: lazy(() => import('./insights/index.tsx')), listed: true },
  { at: 'rules', name: 'Rules', view: lazy(() => import('./rules/index.tsx')), listed: true, styles: 'ops' },
  {
    at: 'schema',
    name: 'Schema',
    view: lazy(() => import('./schema/index.tsx')),
    listed: true,
    styles: 'ops',
  },
  {
    at: 'bus',
    name: 'Bus',
    view: lazy(() => import('./bus/index.tsx')),
    listed: true,
    styles: 'ops',
    isOne: true,
  },
  {
    at: 'doctor',
    name: 'Doctor',
    view: lazy(() => import('./doctor/index.tsx')),
    listed: true,
    styles: 'ops',
  },
]

export function viewAt(path: string): ViewPlace | undefined {
  const [, first = '', more = ''] = path.split('/')
  return VIEWS.find(({ at, isOne }) => at === first && !(isOne && more !== ''))
}

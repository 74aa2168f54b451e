/** The component of each view, loaded when somebody opens it. Their addresses and names are in client/page-views.ts. */
import { type ComponentType, lazy } from 'react'
import type { ViewName } from '../client/page-views.ts'
import Fleet from './fleet/index.tsx'

export const COMPONENTS: Readonly<Record<ViewName, ComponentType>> = {
  '': Fleet, // the first view: nothing to wait for
  session: lazy(() => import('./session/index.tsx')),
  journal: lazy(() => import('./journal/index.tsx')),
  insights: lazy(() => import('./insights/index.tsx')),
  rules: lazy(() => import('./rules/index.tsx')),
  schema: lazy(() => import('./schema/index.tsx')),
  bus: lazy(() => import('./bus/index.tsx')),
  doctor: lazy(() => import('./doctor/index.tsx')),
}

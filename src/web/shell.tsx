/** The frame around every view: navigation, connection, help, notices. */
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { PAGE_VIEWS, viewAt } from '../client/page-views.ts'
import { counted } from '../core/text/text.ts'
import { LOOKS } from '../sessions/state/look.ts'
import { Boundary } from './boundary.tsx'
import { Help } from './help.tsx'
import { useKeys } from './keys.ts'
import { retry } from './live/connection.ts'
import { type LiveState, useLive } from './live/store.ts'
import { needsCount, setTitle } from './live/title.ts'
import { Age } from './parts/age.tsx'
import { Button, Key } from './parts/controls.tsx'
import { Command, Empty } from './parts/empty.tsx'
import { shown } from './parts/format.ts'
import { Toasts } from './parts/toast.tsx'
import { go, linkTo, usePath } from './router.ts'
import { COMPONENTS } from './views.ts'

const LISTED = PAGE_VIEWS.filter(({ listed }) => listed)

export function Shell() {
  const path = usePath()
  const place = viewAt(path)
  const [help, setHelp] = useState(false)
  const View = place && COMPONENTS[place.at]
  useKeys(
    [
      { keys: ['?'], does: 'this help', run: () => setHelp(true) },
      {
        keys: LISTED.map((_, n) => String(n + 1)),
        shown: `1 … ${LISTED.length}`,
        does: `the views, from ${LISTED[0]?.name} to ${LISTED.at(-1)?.name}`,
        run: (key) => go(`/${LISTED[Number(key) - 1]?.at ?? ''}`),
      },
    ],
    'everywhere',
  )
  useEffect(() => setTitle(place && place.at !== '' ? place.name : ''), [place])
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Navigation at={place?.at} onHelp={() => setHelp(true)} />
      {/* The styles of a view stand below its class, so that no other view has them. */}
      <main id="main" className={place && `view-${place.styles ?? place.at}`} tabIndex={-1}>
        <Connection />
        <Boundary key={path}>
          <Suspense fallback={<p className="waits">Loading…</p>}>
            {View ? <View /> : <NoSuchView path={path} />}
          </Suspense>
        </Boundary>
      </main>
      <Toasts />
      {help ? <Help onClose={() => setHelp(false)} /> : null}
    </div>
  )
}

function Navigation({ at, onHelp }: { readonly at: string | undefined; readonly onHelp: () => void }) {
  const needs = useLive(needsCount)
  return (
    <nav aria-label="Views">
      <a className="brand" {...linkTo('/')}>
        gantry
      </a>
      <div className="places">
        {LISTED.map(({ at: to, name }) => (
          <a
            key={to}
            {...linkTo(`/${to}`)}
            aria-current={to === at || (to === '' && at === 'session') ? 'page' : undefined}
          >
            {name}
            {to === '' && needs > 0 ? (
              <span
                className="need count"
                role="img"
                aria-label={counted(needs, 'session needs you', 'sessions need you')}
              >
                {LOOKS.asks.mark} {needs}
              </span>
            ) : null}
          </a>
        ))}
      </div>
      <div className="foot">
        <Summary />
        <button type="button" className="quiet-button" onClick={onHelp}>
          Keys <Key>?</Key>
        </button>
      </div>
    </nav>
  )
}

function Summary() {
  const sessions = useLive(liveCount)
  const hosts = useLive((state) => state.hosts.length + 1)
  const silent = useLive(({ hosts }) => hosts.filter(({ state }) => state === 'silent').length)
  const name = useLive(({ hello }) => hello?.host)
  const problem = useLive(({ fleetProblem }) => fleetProblem)
  const where = hosts > 1 ? `${counted(hosts, 'host')}${silent > 0 ? `, ${silent} silent` : ''}` : name
  return (
    <p>
      <LinkState />
      {where === undefined ? null : <span className="cut">{where}</span>}
      <span>{counted(sessions, 'session')}</span>
      {problem === undefined ? null : (
        <span className="need" title={problem}>
          other hosts unknown
        </span>
      )}
    </p>
  )
}

const LINK_WORDS = {
  connecting: 'connecting',
  live: 'live',
  away: 'away',
  'signed-out': 'signed out',
} as const

function LinkState() {
  const state = useLive(({ link }) => link.state)
  return (
    <span className={`link-state ${state}`} role="status">
      {LINK_WORDS[state]}
    </span>
  )
}

function liveCount({ sessions, hosts }: LiveState): number {
  let count = 0
  for (const { phase } of sessions.values()) if (phase !== 'ended') count += 1
  for (const host of hosts) count += host.sessions.filter(({ phase }) => phase !== 'ended').length
  return count
}

/** Says when what is shown is not the present. */
function Connection() {
  const link = useLive(({ link: one }) => one)
  if (link.state === 'away')
    return (
      <Banner>
        <span>
          The daemon has not answered for <Age since={link.since} exact />. This is what it said last; the
          page goes on by itself.
        </span>
        <Button onClick={retry}>Try now</Button>
      </Banner>
    )
  if (link.state === 'signed-out')
    return (
      <Banner>
        <span>This browser is not signed in any more. Open a new link with</span>
        <Command>gantry web</Command>
      </Banner>
    )
  return null
}

function Banner({ children }: { readonly children: ReactNode }) {
  return (
    <div className="banner" role="alert">
      {children}
    </div>
  )
}

function NoSuchView({ path }: { readonly path: string }) {
  return (
    <>
      <h1 className="hidden-text">Not found</h1>
      <Empty title="There is no such view">
        <p>
          <code>{shown(path)}</code> is not an address of this page.
        </p>
        <a {...linkTo('/')}>To the fleet</a>
      </Empty>
    </>
  )
}

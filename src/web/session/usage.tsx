/** Cost and context over time: a small chart, loaded when it is shown. */
import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import type { CallResult, SessionView } from '../../client/index.ts'
import { costTicks, shortCost, shortNumber } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { useCall } from '../live/call.ts'
import { clockWords } from '../parts/format.ts'
import { useThrottled } from './data.ts'

const AGAIN_MS = 5_000
const HEIGHT_PX = 150

export function UsageChart({ session }: { readonly session: SessionView }) {
  const again = useThrottled(session.cause?.seq, AGAIN_MS)
  const asked = useCall('sessions.usage', { session: session.key }, again)
  const points = useMemo(() => (asked.data ? pointsOf(asked.data) : []), [asked.data])
  if (points.length < 2) return null
  return (
    <section className="usage" aria-labelledby="usage-title">
      <h2 id="usage-title">What it cost</h2>
      <Chart points={points} />
      <p className="quiet">
        By list prices of {asked.data?.pricesAsOf}; context is what one request had on average.
      </p>
    </section>
  )
}

interface Point {
  readonly at: number
  /** All that was spent until then; null while a price is not known. */
  readonly cost: number | null
  /** Tokens of one request. */
  readonly context: number | null
}

function pointsOf({ turns }: CallResult<'sessions.usage'>): readonly Point[] {
  const byTurn = new Map<number, { cost: number; known: boolean; tokens: number; requests: number }>()
  for (const { turnAt, agentId, requests, input, cacheRead, cacheWrite, costUsd } of turns) {
    const sum = byTurn.get(turnAt) ?? { cost: 0, known: true, tokens: 0, requests: 0 }
    sum.cost += costUsd ?? 0
    sum.known &&= costUsd !== null
    if (agentId === undefined) {
      sum.tokens += input + cacheRead + cacheWrite
      sum.requests += requests
    }
    byTurn.set(turnAt, sum)
  }
  let spent = 0
  return [...byTurn]
    .filter(([at]) => at > 0)
    .sort(([a], [b]) => a - b)
    .map(([at, { cost, known, tokens, requests }]) => {
      spent += cost
      return { at, cost: known || spent > 0 ? spent : null, context: requests > 0 ? tokens / requests : null }
    })
}

function Chart({ points }: { readonly points: readonly Point[] }) {
  const box = useRef<HTMLDivElement>(null)
  const last = points.at(-1)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const chart = new uPlot(optionsOf(element), dataOf(points), element)
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const repaint = () => chart.redraw(false, true)
    dark.addEventListener('change', repaint)
    return () => {
      dark.removeEventListener('change', repaint)
      watch.disconnect()
      chart.destroy()
    }
  }, [points])
  const words = `Cost ${last?.cost == null ? 'not known' : shortCost(last.cost)} after ${counted(points.length, 'turn')}; context ${shortNumber(last?.context ?? 0)} tokens`
  return <div ref={box} className="chart" role="img" aria-label={words} />
}

function dataOf(points: readonly Point[]): uPlot.AlignedData {
  return [
    points.map(({ at }) => at / 1_000),
    points.map(({ cost }) => cost),
    points.map(({ context }) => context),
  ]
}

function optionsOf(element: HTMLElement): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(`--${name}`).trim()
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const axis = { font, stroke: colour('quiet'), grid: { show: false }, ticks: { show: false }, size: 56 }
  const steps = uPlot.paths.stepped?.({ align: 1 })
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      cost: { range: (_, __, max) => [0, Math.max(max, 0.01) * 1.1] },
      context: { range: (_, __, max) => [0, Math.max(max, 1) * 1.1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        space: 76,
        grid: { show: true, stroke: colour('line'), width: 1 },
        values: (_, values) => values.map((one) => clockWords(one * 1_000, false)),
      },
      { ...axis, scale: 'cost', values: (_, values) => costTicks(values) },
      { ...axis, scale: 'context', side: 1, values: (_, values) => values.map((one) => shortNumber(one)) },
    ],
    series: [
      { label: 'Time' },
      {
        label: 'Cost',
        scale: 'cost',
        stroke: colour('accent'),
        width: 1.5,
        ...(steps ? { paths: steps } : {}),
        value: (_, value) => (value === null ? '–' : shortCost(value)),
      },
      {
        label: 'Context',
        scale: 'context',
        stroke: colour('busy'),
        width: 1.5,
        dash: [4, 3],
        value: (_, value) => (value === null ? '–' : `${shortNumber(value)} tokens`),
      },
    ],
  }
}

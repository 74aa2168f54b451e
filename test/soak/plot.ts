/** The samples as one picture (SVG), and as lines of bars for the terminal. */
import type { Happened } from './chaos/chaos.ts'
import type { Sample } from './samples.ts'

type Column = Exclude<keyof Sample, 'at' | 'pid' | 'age'>
interface Chart {
  readonly title: string
  readonly unit: string
  readonly columns: Partial<Record<Column, string>>
}

const CHARTS: readonly Chart[] = [
  {
    title: 'Memory',
    unit: 'MB',
    columns: { daemonMb: 'daemon', childrenMb: 'its processes', natsMb: 'nats-server' },
  },
  { title: 'Descriptors', unit: '', columns: { daemonFds: 'daemon', natsFds: 'nats-server' } },
  {
    title: 'Files',
    unit: 'MB',
    columns: { journalMb: 'journal', walMb: 'its log', derivedMb: 'derived files', streamsMb: 'JetStream' },
  },
  { title: 'Hook clients, from start to end', unit: 'ms', columns: { hookP50: 'p50', hookP99: 'p99' } },
  { title: 'Hooks of the load generator, answered', unit: 'ms', columns: { doorP50: 'p50', doorP99: 'p99' } },
  { title: 'Events in the spool', unit: '', columns: { spooled: 'spooled' } },
]
const COLOURS = ['#2563eb', '#d97706', '#059669', '#9333ea']
const [WIDTH, HEIGHT, LEFT, TOP] = [960, 150, 60, 40] as const
const ROW = HEIGHT + TOP + 25
const BARS = '▁▂▃▄▅▆▇█'
const BAR_COUNT = 60

export function svgOf(samples: readonly Sample[], happened: readonly Happened[], title: string): string {
  const end = Math.max(samples.at(-1)?.at ?? 1, 1)
  const x = (at: number) => LEFT + (at / end) * (WIDTH - LEFT - 20)
  const height = CHARTS.length * ROW + TOP
  const parts = CHARTS.map((chart, n) => chartOf(chart, samples, happened, n * ROW + TOP, x, end))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="22" font-size="15">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`
}

function chartOf(
  { title, unit, columns }: Chart,
  samples: readonly Sample[],
  happened: readonly Happened[],
  top: number,
  x: (at: number) => number,
  end: number,
): string {
  const names = Object.keys(columns) as Column[]
  const most = Math.max(1, ...samples.flatMap((sample) => names.map((name) => sample[name]))) * 1.05
  const [upper, lower] = [top + TOP / 2, top + TOP / 2 + HEIGHT]
  const y = (value: number) => lower - (value / most) * HEIGHT
  const marks = happened
    .filter(({ what }) => what.startsWith('daemon '))
    .map(({ atMs }) => `<path d="M${x(atMs / 1_000).toFixed(1)} ${upper}V${lower}" stroke="#f1d5d5"/>`)
  const grid = [0, 0.5, 1].map((share) => {
    const [value, at] = [most * share, y(most * share)]
    return `<path d="M${LEFT} ${at}H${WIDTH - 20}" stroke="#ddd"/><text x="${LEFT - 6}" y="${at + 4}" text-anchor="end" fill="#666">${shown(value)}</text>`
  })
  const times = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(end * share)}" y="${lower + 15}" text-anchor="middle" fill="#666">${shown((end * share) / 60)} min</text>`,
  )
  const lines = names.map((name, n) => {
    const shownOnes = samples.filter((sample) => unit !== 'ms' || sample[name] > 0) // no hook ended in that time
    const points = shownOnes.map((sample) => `${x(sample.at).toFixed(1)},${y(sample[name]).toFixed(1)}`)
    return `<polyline fill="none" stroke="${COLOURS[n]}" stroke-width="1.3" points="${points.join(' ')}"/>`
  })
  const legend = names.map(
    (name, n) => `<tspan fill="${COLOURS[n]}" dx="14">${escaped(columns[name] ?? name)}</tspan>`,
  )
  const heading = `${title}${unit ? ` (${unit})` : ''}`
  return [
    `<text x="${LEFT}" y="${upper - 6}" font-weight="bold">${escaped(heading)}${legend.join('')}</text>`,
    ...marks,
    ...grid,
    ...times,
    ...lines,
  ].join('\n')
}

/** One line for each column: its course, its least and its most. */
export function sparklines(samples: readonly Sample[]): string[] {
  return CHARTS.flatMap(({ title, unit, columns }) =>
    (Object.entries(columns) as [Column, string][]).map(([column, name]) => {
      const values = samples.map((sample) => sample[column])
      const [least, most] = [Math.min(...values), Math.max(...values)]
      const label = `${title.split(/[ ,]/)[0]?.toLowerCase()} ${name}`
      return `${label.padEnd(24)} ${sparkline(values)} ${shown(least)}…${shown(most)} ${unit}`.trimEnd()
    }),
  )
}

/** The highest of the values that share a bar, so that no peak is hidden. */
export function sparkline(values: readonly number[], bars = BAR_COUNT): string {
  const most = Math.max(...values, 1e-9)
  const count = Math.min(bars, values.length)
  return Array.from({ length: count }, (_, n) => {
    const some = values.slice(
      Math.floor((n * values.length) / count),
      Math.floor(((n + 1) * values.length) / count),
    )
    return BARS[Math.min(BARS.length - 1, Math.floor((Math.max(...some) / most) * BARS.length))] ?? ''
  }).join('')
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, '')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

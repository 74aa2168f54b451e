import { expect, test } from 'bun:test'
import { sparkline, sparklines, svgOf } from './plot.ts'
import type { Sample } from './samples.ts'

const COLUMNS =
  'sent kills daemonMb childrenMb natsMb daemonFds natsFds journalMb walMb derivedMb streamsMb spooled'
const LATENCIES = 'hookP50 hookP99 doorP50 doorP99'

const samples = Array.from({ length: 100 }, (_, n) => {
  const values = `${COLUMNS} ${LATENCIES}`.split(' ').map((name) => [name, n % 2 === 0 ? n : 0])
  return { at: n * 2, pid: 1, age: n, ...Object.fromEntries(values) } as Sample
})

test('a line of bars hides no peak, however many values share a bar', () => {
  const values = Array.from({ length: 1_000 }, (_, n) => (n === 503 ? 100 : 1))
  const bars = sparkline(values, 50)
  expect([...bars]).toHaveLength(50)
  expect(bars.indexOf('█')).toBe(25)
  expect(sparkline([0, 0])).toBe('▁▁')
})

test('every column has a line of bars with its least and its most', () => {
  const lines = sparklines(samples)
  expect(lines).toHaveLength(14)
  for (const line of lines) expect(line).toContain('0…98')
})

test('the picture has a line for every column, kills of the daemon, and is well-formed', async () => {
  const svg = svgOf(samples, [{ atMs: 10_000, what: 'daemon 7 killed' }], 'a < b & c')
  expect(svg.match(/<polyline/g)).toHaveLength(14)
  expect(svg.match(/stroke="#f1d5d5"/g)).toHaveLength(6)
  expect(svg).toContain('a &lt; b &amp; c')
  expect(svg).not.toContain('NaN')
  // Latencies are drawn from values alone: 0 means that no hook ended in that time.
  const counts = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points = '']) => points.split(' ').length)
  expect(counts.filter((count) => count === 100)).toHaveLength(10)
  expect(counts.filter((count) => count === 49)).toHaveLength(4)
})

/**
 * The text format of Prometheus, version 0.0.4.
 *
 *   expose([{ name: 'gantry_spool_events', type: 'gauge', help: '…', samples: [{ value: 3 }] }])
 */
import { BOUNDS_MS, type Histogram } from './recorder.ts'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
}

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly Sample[]
}

export interface HistogramMetric {
  readonly name: string
  readonly help: string
  readonly type: 'histogram'
  readonly of: readonly { readonly labels: Labels; readonly times: Histogram }[]
}

export function expose(metrics: readonly (Metric | HistogramMetric)[]): string {
  return metrics.map((one) => `${linesOf(one).join('\n')}\n`).join('')
}

function linesOf(metric: Metric | HistogramMetric): string[] {
  const { name, help, type } = metric
  const head = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`]
  if (metric.type !== 'histogram')
    return [...head, ...metric.samples.map(({ labels = {}, value }) => line(name, labels, value))]
  return [...head, ...metric.of.flatMap(({ labels, times }) => histogramLines(name, labels, times))]
}

function histogramLines(name: string, labels: Labels, { counts, sumMs }: Histogram): string[] {
  let sum = 0
  const buckets = [...counts].map((count, at) => {
    sum += count
    const bound = BOUNDS_MS[at]
    const le = bound === undefined ? '+Inf' : String(bound / 1000)
    return line(`${name}_bucket`, { ...labels, le }, sum)
  })
  return [...buckets, line(`${name}_sum`, labels, sumMs / 1000), line(`${name}_count`, labels, sum)]
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${quoted(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function quoted(text: string): string {
  return escaped(text).replaceAll('"', '\\"')
}

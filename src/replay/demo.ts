/** The sessions that `gantry demo` plays; `scripts/generate/demo-recordings.ts` makes them from recordings of the real agents. */
import { type RecordedLine, readLine } from './recorded.ts'
import fleet from './recordings/fleet.jsonl' with { type: 'text' }

export interface DemoRecording {
  readonly scenario: string
  readonly lines: readonly RecordedLine[]
}

export function demoRecordings(): DemoRecording[] {
  const byScenario = new Map<string, RecordedLine[]>()
  for (const text of fleet.split('\n').filter(Boolean)) {
    const read = readLine(text)
    if ('problem' in read) throw new Error(`a line of the demo: ${read.problem}`)
    const { scenario = '' } = read.line
    byScenario.set(scenario, [...(byScenario.get(scenario) ?? []), read.line])
  }
  return [...byScenario].map(([scenario, lines]) => ({ scenario, lines }))
}

import { expect, test } from 'bun:test'
import { paint } from './paint.ts'

test('no label of the axis is painted over the one before', () => {
  const labels: { from: number; to: number }[] = []
  const measureText = (text: string) => ({ width: text.length * 6 })
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => {
      if (name === 'measureText') return measureText
      if (name !== 'fillText') return () => {}
      return (text: string, from: number) => labels.push({ from, to: from + measureText(text).width })
    },
    set: () => true,
  })
  const colours = { text: '', quiet: '', line: '', surface: '', need: '', work: '', error: '', busy: '' }
  for (let width = 300; width < 1_000; width++) {
    labels.length = 0
    paint(context, {
      layout: { rows: [], names: [], gutter: 84, width, height: 90 },
      range: { from: 1_763_000_000_000, to: 1_763_000_000_000 + width * 131 },
      ...{ selected: undefined, hovered: undefined, colours: { ...colours, accent: '' }, font: '' },
    })
    expect(labels.length).toBeGreaterThan(0)
    for (const [n, { from, to }] of labels.entries()) {
      expect(to).toBeLessThanOrEqual(width)
      if (n > 0) expect(from, `at ${width}`).toBeGreaterThan(labels[n - 1]?.to ?? 0)
    }
  }
})

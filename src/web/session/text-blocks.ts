/** Markdown as plain text: only fenced code is set apart, nothing becomes markup. Pure. */

interface TextBlock {
  readonly kind: 'text' | 'code'
  readonly text: string
  /** After the fence. */
  readonly language?: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/

export function blocksIn(markdown: string): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  let fence: { readonly mark: string; readonly language: string } | undefined
  const close = () => {
    const text = fence ? lines.join('\n') : lines.join('\n').trim()
    if (fence) blocks.push({ kind: 'code', text, ...(fence.language ? { language: fence.language } : {}) })
    else if (text !== '') blocks.push({ kind: 'text', text })
    lines = []
  }
  for (const line of markdown.split('\n')) {
    const [, mark = '', language = ''] = FENCE.exec(line) ?? []
    if (fence ? mark.startsWith(fence.mark) && language === '' : mark !== '') {
      close()
      fence = fence ? undefined : { mark, language }
    } else lines.push(line)
  }
  // A fence that nobody closed goes to the end, as everywhere.
  if (lines.length > 0 || fence) close()
  return blocks
}

/** Imported `with { type: 'text' }`. */
declare module '*.jsonl' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: an import of a text is always a default one
  export default text
}

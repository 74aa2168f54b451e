/** Imported `with { type: 'text' }`: text here, a program only inside opencode. */
declare const text: string
// biome-ignore lint/style/noDefaultExport: text imports are always default imports
export default text

/** Imported `with { type: 'text' }`: the plugin is text here, and a program only inside opencode. */
declare const text: string
// biome-ignore lint/style/noDefaultExport: an import of a text is always a default one
export default text

/** Hands a text to the browser as a file. */
export function save(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[^\w.-]/g, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

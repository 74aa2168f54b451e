/** Files that scripts/compile.ts puts into the one binary beside the code: the page, the hook client. */

/** Where Bun shows them to the program. */
const FOLDER = '/$bunfs/root'

/** The path of the file, for reading; undefined if this is no compiled gantry, or if it has no such file. */
export function embeddedPath(name: RegExp): string | undefined {
  const found = Bun.embeddedFiles
    .map((file) => (file as Blob & { readonly name?: string }).name ?? '')
    .find((one) => name.test(one))
  return found === undefined ? undefined : `${FOLDER}/${found}`
}

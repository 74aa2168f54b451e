/** The files that the text of a patch changes, in the two forms that agents write: Codex' own, and unified diffs. */

interface PatchedFile {
  readonly path: string
  /** `write` creates the file, or replaces what is there. */
  readonly how: 'write' | 'edit' | 'delete'
  /** The patch says that there was none before. */
  readonly isNew?: true
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* (Move) to: (.+)$/gm

/** `*** Update File: x`: the form of Codex, Copilot and opencode. A moved file is deleted at its old path. */
export function patchedFiles(patch: string): PatchedFile[] {
  const found: PatchedFile[] = []
  for (const [, verb, path = '', move, target = ''] of patch.matchAll(FILE)) {
    if (move) {
      const from = found.pop()
      if (from) found.push({ path: from.path, how: 'delete' })
      found.push({ path: target.trim(), how: 'write' })
    } else if (verb === 'Add') found.push({ path: path.trim(), how: 'write', isNew: true })
    else found.push({ path: path.trim(), how: verb === 'Delete' ? 'delete' : 'edit' })
  }
  return found
}

const HEADER = /^(---|\+\+\+|rename from|rename to|copy to|diff --git|deleted file) ?([^\t\n]*)/gm
const MAX_FILES = 200

/**
 * The files of a unified diff. `strip`: how many leading folders go, as with `patch -p1`; undefined: only the `a/` and `b/` that
 * git writes.
 */
export function diffedFiles(diff: string, strip: number | undefined): PatchedFile[] {
  const found = new Map<string, PatchedFile['how']>()
  const name = (text: string) => stripped(text.trim().replace(/^"(.*)"$/, '$1'), strip)
  const add = (path: string, how: PatchedFile['how']) => {
    if (path !== '' && found.size < MAX_FILES) found.set(path, how)
  }
  let old = ''
  let both = ''
  for (const [, mark, text = ''] of diff.matchAll(HEADER)) {
    if (mark === 'diff --git') both = text.split(' ').at(-1) ?? ''
    else if (mark === 'deleted file') add(name(both), 'delete')
    else if (mark === '---') old = text.trim()
    else if (mark === 'rename from') add(stripped(text.trim(), 0), 'delete')
    else if (mark === 'rename to' || mark === 'copy to') add(stripped(text.trim(), 0), 'write')
    else if (text.trim() === '/dev/null') add(name(old), 'delete')
    else if (old !== '') {
      add(name(text), old === '/dev/null' ? 'write' : 'edit')
      // `patch` takes whichever of the two names is there.
      if (old !== '/dev/null') add(name(old), 'edit')
      old = ''
    }
  }
  return [...found].map(([path, how]) => ({ path, how }))
}

function stripped(path: string, strip: number | undefined): string {
  if (strip === undefined) return path.replace(/^[ab]\//, '')
  let rest = path
  for (let i = 0; i < strip; i++) {
    const at = rest.search(/\/+[^/]/)
    if (at < 0) return rest
    rest = rest.slice(at).replace(/^\/+/, '')
  }
  return rest
}

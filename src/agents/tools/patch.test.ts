import { describe, expect, test } from 'bun:test'
import { addedText, filesIn, patchedText, unpatchedText } from './patch.ts'

const PATCH = `*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Update File: src/old.ts
@@ function b() {
   keep
-  old
+  new
+  more

@@
-last
+LAST
*** End of File
*** Delete File: gone.txt
*** Update File: before.ts
*** Move to: deep/after.ts
@@
-a
+b
*** End Patch
`
const TEXT = 'function a() {\n  keep\n  old\n}\nfunction b() {\n  keep\n  old\n\nlast\n'

describe('a patch', () => {
  const files = filesIn(PATCH)

  test('has files, and where they are moved', () => {
    expect(files.map(({ verb, path, movedTo }) => [verb, path, movedTo])).toEqual([
      ['add', 'new.txt', undefined],
      ['update', 'src/old.ts', undefined],
      ['delete', 'gone.txt', undefined],
      ['update', 'before.ts', 'deep/after.ts'],
    ])
    expect(addedText(files[0]?.chunks ?? [])).toBe('one\n\ntwo\n')
  })

  test('is applied behind the line that it names, and undone', () => {
    const after = patchedText(TEXT, files[1]?.chunks ?? [])
    expect(after).toBe('function a() {\n  keep\n  old\n}\nfunction b() {\n  keep\n  new\n  more\n\nLAST\n')
    expect(unpatchedText(after ?? '', files[1]?.chunks ?? [])).toBe(TEXT)
  })

  test('that does not fit gives nothing', () => {
    expect(patchedText('other\n', files[1]?.chunks ?? [])).toBeUndefined()
    expect(patchedText('a  \n', files[3]?.chunks ?? [])).toBe('b\n')
  })

  test('of only new lines is put at the end', () => {
    expect(patchedText('a\n', [{ lines: ['+b'] }])).toBe('a\nb\n')
    expect(patchedText('', [{ lines: ['+b'] }])).toBe('b\n')
  })

  test('that is none has no files', () => {
    for (const text of ['', '*** Move to: x', '+a', '@@', '*** Add File:', 'x'.repeat(10_000)])
      expect(filesIn(text)).toEqual([])
  })
})

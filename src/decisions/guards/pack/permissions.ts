/** Rights and owners of files. */
import { has, operands } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { IN_WORDS, locationOfWord } from '../paths.ts'

export const PERMISSION_GUARDS: readonly Guard[] = [
  {
    id: 'permissions',
    about: 'Opening files to everybody, and changing rights or owners of whole trees',
    standard: 'ask',
    strict: 'deny',
    instead: 'Change the one file that needs it: `chmod u+x script.sh`.',
    programs: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'icacls', 'takeown', 'setcap'],
    call: (call, facts) => permissionCall(call, facts),
    examples: {
      match: [
        'chmod -R 777 .',
        'chmod 777 file',
        'chmod a+rwx -R src',
        'sudo chown -R me /usr/local',
        'chmod -R 000 /etc',
        'chmod u+s ./tool',
        'chmod 4755 tool',
        'chattr -i /etc/passwd',
        'chmod o+w secrets.txt',
        'chmod -x /bin/ls',
        'chown -R root:root .',
      ],
      noMatch: [
        'chmod +x script.sh',
        'chmod 644 file',
        'chmod -R u+w build',
        'chown me file.txt',
        'chmod 600 key',
        'chmod 0755 bin/run',
        'chmod u+x script.sh',
      ],
    },
  },
  {
    id: 'permissions-system',
    about: 'Changing rights or owners of the root, of system folders or of a home folder',
    standard: 'deny',
    strict: 'deny',
    instead: 'Change the one file that needs it: `chmod u+x script.sh`.',
    programs: ['chmod', 'chown', 'chgrp', 'setfacl'],
    call: (call, { place }) => {
      const target = operands(call)
        .slice(1)
        .find((path) => /^(?:\/|~|\$HOME)/.test(path))
      // `find / -exec chmod 777 {} +` names all that is below.
      const isTree = has(call, '-R', '--recursive') || target?.endsWith('/**/*')
      if (target === undefined || !isTree) return undefined
      const where = locationOfWord(target, place)
      return ['root', 'system', 'home', 'device'].includes(where)
        ? `"${target}" is ${IN_WORDS[where]}`
        : undefined
    },
    examples: {
      match: [
        'chmod -R 777 /',
        'chown -R nobody /etc',
        'chmod -R 000 ~',
        'sudo chmod -R a+w /usr',
        'find / -type f -exec chmod 777 {} +',
        'find /etc -type d | xargs chmod a+w',
      ],
      noMatch: [
        'find . -type f -exec chmod 644 {} +',
        'chmod -R u+w .',
        'chmod 644 /tmp/x',
        'chown -R me ./build',
      ],
    },
  },
]

function permissionCall(
  call: { program: string; words: readonly string[] } & Parameters<typeof has>[0],
  { place }: Facts,
): string | undefined {
  const { program, words } = call
  const [mode = '', ...paths] = operands(call)
  const recursive = has(call, '-R', '--recursive')
  const elsewhere = paths.find((path) => {
    if (!/^(?:\/|~|\.\.)/.test(path)) return false
    const where = locationOfWord(path, place)
    return where !== 'inside' && where !== 'temp'
  })
  if (program === 'chmod') {
    const bits = words.find((word) => /^[0-7]{3,4}$/.test(word)) ?? mode
    if (/^[0-7]{3,4}$/.test(bits)) {
      if (/[2367]$/.test(bits)) return `mode ${bits} lets everybody write`
      if (/^[4-7][0-7]{3}$/.test(bits)) return `mode ${bits} runs the file with its owner's rights`
      if (recursive && /^0?[0-3]?00$/.test(bits) && bits.endsWith('000'))
        return `mode ${bits} locks everybody out`
    }
    const tool = words.find((path) => /^\/(?:usr\/)?(?:local\/)?s?bin\/./.test(path))
    if (tool !== undefined && words.some((word) => /^[ugoa]*-[rwx]*x/.test(word)))
      return `"${tool}" could not be started any more`
    const symbolic = words.find((word) => /^[ugoa]*[+=][rwxXst]+/.test(word)) ?? ''
    if (/^(?:[ugo]*[oa][ugoa]*)[+=][rxX]*w/.test(symbolic)) return `mode ${symbolic} lets everybody write`
    if (/[+=][rwx]*s/.test(symbolic)) return `mode ${symbolic} runs the file with its owner's rights`
    return recursive && elsewhere !== undefined ? `all of "${elsewhere}"` : undefined
  }
  if (program === 'chattr')
    return words.some((word) => /^[-+]\w*[ia]/.test(word)) ? 'it changes what may be changed' : undefined
  if (program === 'setcap')
    return words.some((word) => /cap_/i.test(word)) ? 'it gives a program rights of the system' : undefined
  if (program === 'icacls' || program === 'takeown')
    return words.some((word) => /^\/(?:grant|reset|r|t|f)/i.test(word))
      ? 'it changes who owns files'
      : undefined
  if (recursive && /^(?:root|nobody|0)(?::|$)/.test(mode)) return `all of it would belong to ${mode}`
  return recursive && elsewhere !== undefined ? `all of "${elsewhere}"` : undefined
}

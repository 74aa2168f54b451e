/** Files that are deleted, or written where they should not be. */
import type { FileEffect } from '../../../shell/index.ts'
import { feedersOf, has, operands } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { isFiltered, type Where, whereIs, whereIsPath } from '../paths.ts'

const IN_WORDS: Readonly<Record<Where, string>> = {
  root: 'the root of the file system',
  device: 'a device',
  system: 'a folder of the system',
  home: 'a home folder, or a main part of one',
  project: 'the whole project',
  inside: 'the project',
  temp: 'a temporary folder',
  outside: 'a place outside of the project',
  unknown: 'a place that only the run will show',
}

/** What is not plainly inside of the project: of thousands of files mostly none, and many guards ask. */
const BEYOND = new WeakMap<readonly FileEffect[], readonly FileEffect[]>()

function beyond(effects: readonly FileEffect[], { place }: Facts): readonly FileEffect[] {
  const known = BEYOND.get(effects)
  if (known) return known
  const found = effects.filter((effect) => whereIs(effect, place) !== 'inside')
  BEYOND.set(effects, found)
  return found
}

function deleted(facts: Facts, wanted: readonly Where[], recursive?: boolean): string | undefined {
  for (const effect of beyond(facts.effects.deletes, facts)) {
    const isTree = effect.recursive || effect.path.includes('**')
    if (recursive !== undefined && isTree !== recursive) continue
    const where = whereIs(effect, facts.place)
    if (!wanted.includes(where) || (where === 'project' && isFiltered(effect, facts))) continue
    return `${shown(effect)} is ${IN_WORDS[where]}`
  }
  return undefined
}

function shown({ text, path }: FileEffect): string {
  return `"${text === '' ? path : text}"`
}

/** Names that only a pipe brings: any, or all files of the project. */
function deletedFromList({ calls }: Facts): string | undefined {
  for (const call of calls) {
    const { command, program } = call
    const from = command.parent === undefined ? undefined : calls[command.parent]
    if (program !== 'rm' || from?.program !== 'xargs') continue
    if (operands(call).some((word) => !word.includes('{}')) || command.isRemote) continue
    const [feeder] = feedersOf(calls, from)
    const isWalk =
      feeder?.program === 'find' &&
      !feeder.words.some((word) =>
        /^-(?:i?name|i?path|i?regex|[acm]time|[acm]min|size|empty|newer)/.test(word),
      )
    if (isWalk || (has(call, '-r', '-R', '--recursive') && feeder?.program !== 'find'))
      return 'a pipe brings the names'
  }
  return undefined
}

const GIT_FOLDER = /(?:^|\/)\.git(?:\/\*?|\/(?:objects|refs|logs|HEAD|index|config)(?:\/.*)?)?$/

/** Programs of a machine far away: its paths are not ours, so their words are all there is. */
function farDelete(facts: Facts): string | undefined {
  for (const call of facts.calls) {
    if (!call.command.isRemote || call.program !== 'rm' || !has(call, '-r', '-R', '--recursive')) continue
    const path = operands(call).find((word) => !/^\/(?:var\/)?tmp\/./.test(word))
    if (path !== undefined) return `"${path}" on another machine, or in a container`
  }
  return undefined
}

const DELETING =
  /\b(?:unlink|unlinkSync|rmtree|remove_tree|rm_rf|rm_r|rm_f|rmSync|rmdirSync|removeSync|rimraf|os\.remove|os\.rmdir|FileUtils\.rm|File\.delete|fs\.rm|promises\.rm|remove_dir_all|removeAll|deltree)\b/
const PLACE_IN_CODE = /['"`](\/[^'"`\s]*|~\/?[^'"`\s]*)['"`]/g
const MAX_CODE_CHARS = 20_000

/** Other languages name what they delete as a text, mostly. */
function deletedByCode({ calls, place }: Facts): string | undefined {
  for (const { command, program } of calls) {
    const code = command.code?.text.text.slice(0, MAX_CODE_CHARS)
    if (code === undefined || !DELETING.test(code)) continue
    for (const [, path = ''] of code.matchAll(PLACE_IN_CODE)) {
      const where = whereIsPath(path.replace(/^~/, place.home), place)
      if (where === 'root' || where === 'system' || where === 'home')
        return `${program} deletes, and names "${path}", ${IN_WORDS[where]}`
    }
  }
  return undefined
}

const ACCOUNTS =
  /^\/(?:private\/)?etc\/(?:passwd|shadow|gshadow|group|sudoers(?:\.d\/.*)?|pam\.d\/.*|ld\.so\.preload|crypttab|fstab|security\/.*)-?$|^\/boot(?:\/|$)|^\/(?:usr\/)?s?bin\/[^/]+$|^\/proc\/sysrq-trigger$|^\/sys\/(?:firmware|power|kernel)\//

function written(facts: Facts, test: (path: string, where: Where) => boolean): string | undefined {
  for (const effect of beyond(facts.effects.writes, facts)) {
    const where = whereIs(effect, facts.place)
    if (test(effect.path, where)) return `${shown(effect)} is ${IN_WORDS[where]}`
  }
  return undefined
}

/** Read by shells, logins and desktops at every start. */
const STARTUP =
  /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xinitrc|xprofile|xsessionrc|pam_environment|gitconfig|login|cshrc|tcshrc|kshrc)$|\/\.config\/(?:fish\/.*|autostart\/.*|systemd\/user\/.*|git\/config)$|\/\.ssh\/(?:authorized_keys2?|config|rc|environment|known_hosts)$|\/Library\/Launch(?:Agents|Daemons)\/|^\/etc\/(?:cron[^/]*|profile|profile\.d|rc\.local|init\.d|systemd|bash\.bashrc|zsh|environment|xdg\/autostart|anacrontab|rc\d?\.d)(?:\/|$)|^\/var\/spool\/cron\/|^\/(?:usr\/)?lib\/systemd\/system\/|\/\.git\/hooks\/(?!.*\.sample$)/

export const FILE_GUARDS: readonly Guard[] = [
  {
    id: 'delete-system',
    about: 'Deleting the root, a system folder or a home folder',
    standard: 'deny',
    strict: 'deny',
    instead: 'Name the one folder inside of the project that has to go, for example `rm -r ./build`.',
    finds: (facts) =>
      deleted(facts, ['root']) ??
      deleted(facts, ['home'], true) ??
      deleted(facts, ['system', 'device']) ??
      beyond(facts.effects.deletes, facts)
        .map(({ path, known, text }) =>
          known && ACCOUNTS.test(path) ? `"${text}" is a file that the system needs` : undefined,
        )
        .find(Boolean) ??
      deletedByCode(facts),
    examples: {
      match: [
        'rm -rf /',
        'rm -rf ~',
        'rm -r -f /etc',
        'sudo rm --recursive --force /usr',
        'rm -rf "$HOME"',
        'rm -rf /*',
        'rm -rf /home/user',
        'bash -c "rm -rf /"',
        'find / -delete',
        'rm /etc/passwd',
      ],
      noMatch: [
        'rm -rf node_modules',
        'rm -rf ./build',
        'rm -rf /tmp/build',
        'echo "rm -rf /"',
        'git commit -m "never rm -rf /"',
        'rm -rf dist/*',
        'rm --help',
      ],
    },
  },
  {
    id: 'delete-project',
    about: 'Deleting the whole project, or its .git folder',
    standard: 'ask',
    strict: 'deny',
    instead: 'Delete what was built, by name: `rm -rf node_modules dist`.',
    finds: (facts) =>
      deleted(facts, ['project'], true) ??
      facts.effects.deletes
        .map((effect) =>
          effect.path.includes('.git') && GIT_FOLDER.test(effect.path)
            ? `${shown(effect)} holds the history of a repository`
            : undefined,
        )
        .find(Boolean),
    examples: {
      match: [
        'rm -rf .',
        'rm -rf *',
        'rm -rf .*',
        'rm -rf .git',
        'rm -rf $PWD',
        'rm -rf ../project',
        'find . -delete',
        'find . -type f | xargs rm -f',
      ],
      noMatch: [
        'rm -rf build',
        'rm -rf *.o',
        'find . -name "*.pyc" -delete',
        'rm -rf node_modules/*',
        'rm .gitignore',
      ],
    },
  },
  {
    id: 'delete-outside',
    about: 'Deleting files or folders outside of the project',
    standard: 'ask',
    strict: 'deny',
    instead: 'Stay inside of the project or in /tmp: `rm -r ./build`. Ask the owner to delete the rest.',
    finds: (facts) => deleted(facts, ['outside']) ?? deleted(facts, ['home'], false) ?? farDelete(facts),
    examples: {
      match: [
        'rm -rf ../other',
        'rm -rf /opt/app',
        'rm -rf ~/work/other',
        'rm ~/notes.txt',
        'ssh host rm -rf /data',
        'docker exec db rm -rf /var/lib/postgresql',
      ],
      noMatch: [
        'rm -rf build',
        'rm -rf /tmp/x',
        'rm -rf $TMPDIR/build',
        'rm file.txt',
        'docker exec web rm -rf /tmp/cache',
      ],
    },
  },
  {
    id: 'delete-unknown',
    about: 'Deleting folders whose names are only known when the command runs',
    standard: 'ask',
    strict: 'ask',
    instead: 'Write the path out, so that one can see what goes: `rm -r ./build`.',
    finds: (facts) => deleted(facts, ['unknown'], true) ?? deletedFromList(facts),
    examples: {
      match: ['rm -rf "$DIR"', 'rm -rf $PREFIX/lib', 'rm -rf "$(cat list)"', 'cat list | xargs rm -rf'],
      noMatch: ['rm -rf "$TMPDIR"', 'D=build; rm -rf "$D"', 'rm -rf "$(mktemp -d)"', 'rm "$FILE"'],
    },
  },
  {
    id: 'system-accounts',
    about: 'Changing accounts, sudo rights, the boot, or the programs of the system',
    standard: 'deny',
    strict: 'deny',
    instead:
      'Write the change to a file in the project and tell the owner how to apply it: `cat > sudoers.patch`.',
    finds: (facts) => written(facts, (path) => ACCOUNTS.test(path)),
    examples: {
      match: [
        'echo "x:0" >> /etc/passwd',
        'echo "me ALL=(ALL) NOPASSWD:ALL" | sudo tee /etc/sudoers.d/me',
        'cp evil /usr/bin/ls',
        'echo b > /proc/sysrq-trigger',
        'sed -i s/x/y/ /etc/shadow',
      ],
      noMatch: ['cat /etc/passwd', 'grep root /etc/passwd > users.txt', 'ls /boot', 'echo /etc/passwd'],
    },
  },
  {
    id: 'system-files',
    about: 'Writing to folders of the system',
    standard: 'ask',
    strict: 'deny',
    instead: 'Keep the file in the project, or in /tmp, and tell the owner where it belongs.',
    finds: (facts) =>
      written(
        facts,
        (path, where) =>
          (where === 'system' || where === 'root') &&
          !ACCOUNTS.test(path) &&
          !STARTUP.test(path) &&
          !/^\/var\/spool\/cron/.test(path),
      ),
    examples: {
      match: [
        'echo 1 > /etc/hosts',
        'sudo cp app.conf /etc/nginx/nginx.conf',
        'sed -i s/a/b/ /etc/ssh/sshd_config',
        'sudo tee /etc/resolv.conf < x',
        'mv x /usr/local/lib/',
      ],
      noMatch: [
        'cat /etc/hosts',
        'cp /etc/hosts ./hosts',
        'ls > /dev/null',
        'make 2>/dev/null',
        'echo x > ./etc/hosts',
      ],
    },
  },
  {
    id: 'startup-files',
    about:
      'Writing what runs at every login, start or commit: shell profiles, SSH keys, cron, autostart, git hooks',
    standard: 'ask',
    strict: 'deny',
    instead: 'Show the owner the line that is to be added, and where.',
    finds: (facts) => {
      const effect = facts.effects.writes.find(({ path, text }) => STARTUP.test(path) || STARTUP.test(text))
      return effect && `${shown(effect)} is run at a start, a login or a commit`
    },
    examples: {
      match: [
        'echo "alias ls=x" >> ~/.bashrc',
        'cat key.pub >> ~/.ssh/authorized_keys',
        'cp x /etc/cron.d/x',
        'tee ~/.config/autostart/x.desktop < x',
        'echo x > .git/hooks/pre-commit',
      ],
      noMatch: ['cat ~/.bashrc', 'grep alias ~/.zshrc', 'ls .git/hooks', 'cp ~/.bashrc ./bashrc.example'],
    },
  },
  {
    id: 'write-outside',
    about: 'Writing files outside of the project and outside of temporary folders',
    standard: 'ask',
    strict: 'ask',
    instead: 'Write inside of the project, or to /tmp: `touch ./notes.md`.',
    finds: (facts) =>
      written(
        facts,
        (path, where) => (where === 'outside' || where === 'home') && !STARTUP.test(path) && !isCache(path),
      ),
    examples: {
      match: [
        'echo hi > ~/notes.txt',
        'cp build.tar /opt/releases/',
        'tee ../other/file < x',
        'mv dist ~/www',
      ],
      noMatch: [
        'echo hi > notes.txt',
        'echo hi > /tmp/x',
        'cp ../other/file .',
        'mkdir -p src/new',
        'echo hi > "$OUT"',
      ],
    },
  },
  {
    id: 'disk',
    about: 'Writing to disks and devices, formatting, partitioning, wiping',
    standard: 'deny',
    strict: 'deny',
    instead: 'Work on an image file in the project: `truncate -s 100M disk.img`.',
    finds: (facts) =>
      written(
        facts,
        (path, where) =>
          where === 'device' &&
          !/^\/dev\/(?:pts\/|tty|ttyUSB|ttyACM|video|snd|dri|input|console|log$)/.test(path),
      ),
    programs: [
      'dd',
      'mkfs',
      'mke2fs',
      'wipefs',
      'fdisk',
      'sfdisk',
      'cfdisk',
      'gdisk',
      'sgdisk',
      'parted',
      'blkdiscard',
      'cryptsetup',
      'lvremove',
      'vgremove',
      'pvremove',
      'zpool',
      'zfs',
      'mdadm',
      'diskutil',
      'hdparm',
      'nvme',
      'badblocks',
      'shred',
      'mkswap',
      'format',
      'diskpart',
      'btrfs',
      'flashrom',
      'efibootmgr',
      'grub-install',
      'mkfs.ext4',
      'mkfs.ext3',
      'mkfs.ext2',
      'mkfs.xfs',
      'mkfs.btrfs',
      'mkfs.vfat',
      'mkfs.fat',
      'mkfs.ntfs',
      'mkfs.f2fs',
      'mkfs.exfat',
      'newfs',
    ],
    call: (call, facts) => diskCall(call, facts),
    examples: {
      match: [
        'dd if=/dev/zero of=/dev/sda',
        'mkfs.ext4 /dev/sdb1',
        'sudo mkfs -t ext4 /dev/sda1',
        'wipefs -a /dev/sda',
        'cat x > /dev/sda',
        'shred -n 3 /dev/nvme0n1',
        'zpool destroy tank',
        'cryptsetup luksFormat /dev/sda2',
        'sgdisk --zap-all /dev/sda',
        'diskutil eraseDisk JHFS+ x disk2',
      ],
      noMatch: [
        'dd if=/dev/zero of=disk.img bs=1M count=10',
        'fdisk -l',
        'lsblk',
        'mkfs.ext4 disk.img',
        'mkfs.ext4 --help',
        'zpool list',
        'parted -l',
        'echo x > /dev/null',
        'format disk --help',
        'truncate -s 100M disk.img',
        'dd if=/dev/sda of=head.img count=1',
      ],
    },
  },
  {
    id: 'shred',
    about: 'Wiping files so that nothing can bring them back, and emptying them in bulk',
    standard: 'ask',
    strict: 'deny',
    instead: 'Move them away first: `mv old.txt /tmp/`.',
    programs: ['shred', 'wipe', 'scrub', 'mv', 'cp', 'rsync'],
    call: (call) => {
      const { program } = call
      if (program === 'mv')
        return operands(call).at(-1) === '/dev/null' ? 'files moved to /dev/null are gone' : undefined
      if (program === 'rsync')
        return call.words.some((word) => /^--(?:delete|remove-source-files)/.test(word)) &&
          !has(call, '-n', '--dry-run')
          ? 'rsync --delete removes what the source does not have'
          : undefined
      if (program === 'cp') return operands(call)[0] === '/dev/null' ? 'it empties a file' : undefined
      return operands(call).length > 0 && !call.words.includes('--help')
        ? `${program} leaves nothing to restore`
        : undefined
    },
    examples: {
      match: ['shred -u notes.txt', 'mv ~/documents /dev/null', 'rsync -a --delete empty/ src/'],
      noMatch: ['mv a b', 'rsync -av src/ dst/', 'rsync -an --delete src/ dst/', 'shred --help'],
    },
  },
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
      if (target === undefined || !has(call, '-R', '--recursive')) return undefined
      const where = whereIsPath(target.replace(/^(?:~|\$HOME)/, place.home), place)
      return ['root', 'system', 'home', 'device'].includes(where)
        ? `"${target}" is ${IN_WORDS[where]}`
        : undefined
    },
    examples: {
      match: ['chmod -R 777 /', 'chown -R nobody /etc', 'chmod -R 000 ~', 'sudo chmod -R a+w /usr'],
      noMatch: ['chmod -R u+w .', 'chmod 644 /tmp/x', 'chown -R me ./build'],
    },
  },
]

function isCache(path: string): boolean {
  return /\/\.(?:cache|npm|cargo\/registry|gradle|m2|local\/state|pnpm-store|yarn|bun)\//.test(path)
}

const WIPERS =
  /^(?:mkfs(?:\..+)?|mke2fs|newfs|mkswap|wipefs|blkdiscard|lvremove|vgremove|pvremove|sfdisk|cfdisk|gdisk|fdisk|sgdisk|parted|badblocks|shred|diskpart)$/
const DEVICE = /^\/dev\/(?!null$|zero$|shm\/|loop)/

function diskCall(
  { program, words }: { program: string; words: readonly string[] },
  _facts: Facts,
): string | undefined {
  if (
    words.includes('--help') ||
    words.includes('--version') ||
    words.includes('-l') ||
    words.includes('--list')
  )
    return undefined
  const device = words.find((word) => DEVICE.test(word))
  if (program === 'dd') {
    const to = words.find((word) => word.startsWith('of='))?.slice(3) ?? ''
    return DEVICE.test(to) && !/^\/dev\/(?:null|stdout|fd\/|tty)/.test(to) ? `dd writes to ${to}` : undefined
  }
  if (WIPERS.test(program)) {
    if (program === 'wipefs' && !words.some((word) => /^-\w*[ao]|^--(?:all|offset|force)/.test(word)))
      return undefined
    if (program === 'badblocks' && !words.some((word) => /^-\w*w/.test(word))) return undefined
    if (program === 'diskpart') return 'diskpart changes partitions'
    if (
      program === 'parted' &&
      words.some((word) => word === 'print' || (word === '-s' && words.includes('print')))
    )
      return undefined
    if (/^[lvp]vremove$|^vgremove$/.test(program) && words.length > 0) return `${program} removes a volume`
    return device === undefined ? undefined : `${program} works on ${device}`
  }
  const [verb = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  if (program === 'zpool' || program === 'zfs')
    return /^(?:destroy|labelclear|rollback)$/.test(verb) ? `${program} ${verb}` : undefined
  if (program === 'cryptsetup')
    return /^(?:luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|reencrypt)$/.test(verb)
      ? `cryptsetup ${verb}`
      : undefined
  if (program === 'mdadm')
    return words.some((word) => /^--(?:zero-superblock|stop|remove|create)/.test(word))
      ? 'mdadm changes an array'
      : undefined
  if (program === 'diskutil')
    return /^(?:erase|zero|secureErase|partition|reformat|apfs$)/i.test(verb) &&
      (verb !== 'apfs' || /^(?:delete|erase)/i.test(second))
      ? `diskutil ${verb}`
      : undefined
  if (program === 'hdparm')
    return words.some((word) => /^--(?:security-erase|trim-sector|write-sector)/.test(word))
      ? 'hdparm erases a disk'
      : undefined
  if (program === 'nvme')
    return /^(?:format|sanitize|write-zeroes|delete-ns)$/.test(verb) ? `nvme ${verb}` : undefined
  if (program === 'btrfs')
    return verb === 'subvolume' && second === 'delete' ? 'btrfs subvolume delete' : undefined
  if (program === 'format') return /^[A-Za-z]:/.test(verb) ? `format ${verb}` : undefined
  if (program === 'flashrom')
    return words.some((word) => /^-\w*[wE]|^--(?:write|erase)/.test(word))
      ? 'flashrom writes firmware'
      : undefined
  if (program === 'efibootmgr')
    return words.some((word) => /^-\w*[Bb]/.test(word)) && words.includes('-B')
      ? 'efibootmgr deletes a boot entry'
      : undefined
  return program === 'grub-install' && device !== undefined ? `grub-install writes to ${device}` : undefined
}

function permissionCall(
  call: { program: string; words: readonly string[] } & Parameters<typeof has>[0],
  { place }: Facts,
): string | undefined {
  const { program, words } = call
  const [mode = '', ...paths] = operands(call)
  const recursive = has(call, '-R', '--recursive')
  const elsewhere = paths.find((path) => {
    if (!/^(?:\/|~|\.\.)/.test(path)) return false
    const where = whereIsPath(path.startsWith('/') ? path : path.replace(/^~/, place.home), place)
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
  return recursive && elsewhere !== undefined ? `all of "${elsewhere}"` : undefined
}

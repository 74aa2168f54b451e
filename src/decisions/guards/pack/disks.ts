/** Disks and devices, and what leaves nothing to restore. */
import { asksVersion, type Call, isDryRun, isHelp, names, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'
import { locationOfWord } from '../paths.ts'
import { written } from './writes.ts'

/** What deletes backups or snapshots, in the words of each program. */
const BACKUPS: Readonly<Record<string, RegExp>> = {
  restic: /^(?:forget|prune|key remove)\b|\bunlock --remove-all\b/,
  borg: /^(?:delete|prune|compact|key change)/,
  borgmatic: /^(?:prune|delete)/,
  kopia: /^(?:snapshot delete|repository (?:disconnect|delete)|maintenance run)/,
  duplicity: /^(?:remove-|cleanup)/,
  'rdiff-backup': /--remove-older-than/,
  tmutil: /^(?:delete|deletelocalsnapshots|disable)/,
  velero: /^(?:backup|schedule|restore) delete/,
  pgbackrest: /\b(?:stanza-delete|expire)\b/,
  barman: /^delete/,
  'wal-g': /^delete/,
  timeshift: /--delete/,
  snapper: /\bdelete\b/,
  zfs: /^destroy/,
  duplicati: /delete/,
  'proxmox-backup-client': /^(?:snapshot|backup)\s+(?:forget|delete)|^prune/,
  rustic: /^(?:forget|prune)/,
  bup: /^(?:rm|gc|prune-older)/,
  attic: /^(?:delete|prune)/,
  arq: /delete/,
  duplicacy: /^prune/,
  rsnapshot: /^(?:sync|rollback)/,
  urbackupclientctl: /remove|delete/,
  vzdump: /--(?:prune-backups|remove)/,
  pvesm: /^(?:free|remove|prune-backups)/,
  btrbk: /^(?:clean|prune)/,
  sanoid: /--prune-snapshots/,
  litestream: /^(?:reset)/,
  lvremove: /./,
}

export const DISK_GUARDS: readonly Guard[] = [
  {
    id: 'disk',
    about: 'Writing to disks and devices, formatting, partitioning, wiping',
    standard: 'deny',
    strict: 'deny',
    instead: 'Work on an image file in the project: `truncate -s 100M disk.img`.',
    finds: (facts) =>
      written(
        facts,
        (path, where, call) =>
          where === 'device' &&
          !(call?.words.includes(path) && onlyLooks(call)) &&
          !/^\/dev\/(?:pts\/|tty|ttyUSB|ttyACM|video|snd|dri|input|console|log$)/.test(path),
      ),
    programs: names(`
      dd mkfs mke2fs wipefs fdisk sfdisk cfdisk gdisk sgdisk parted blkdiscard blockdev cryptsetup lvremove
      vgremove pvremove zpool zfs mdadm diskutil hdparm nvme badblocks shred mkswap format diskpart
      btrfs flashrom efibootmgr grub-install mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs
      fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat fsck.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat newfs
      newfs_msdos newfs_hfs newfs_apfs newfs_exfat fsck e2fsck xfs_repair resize2fs tune2fs ntfsresize
      ntfsclone debugfs restore pvcreate vgcreate vgreduce lvreduce lvresize pvresize
    `),
    call: diskCall,
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
        'resize2fs /dev/sda1 10G',
        'fsck -y /dev/sdb1',
        'parted -s /dev/sdb mklabel gpt print',
        'sgdisk -n 1:0:0 /dev/sdb',
        'mkfs.vfat -n BOOT /dev/sdb1',
        'mkfs.xfs -l size=64m /dev/sdb1',
        'mkfs.ext4 -L --version /dev/sdb1',
        'mkfs.ext4 -L --help /dev/sdb1',
        'lvreduce -l 50%FREE /dev/vg0/data',
        'lvreduce -L 5G vg0/data',
        'lvresize -L -5G vg0/data',
      ],
      noMatch: [
        'wipefs --all --no-act /dev/sdb',
        'wipefs -an /dev/sdb',
        'sfdisk -n /dev/sdb',
        'sfdisk --dump /dev/sdb',
        'sgdisk -p /dev/sdb',
        'parted /dev/sdb print',
        'mke2fs -n /dev/sdb1',
        'mkfs.xfs -N /dev/sdb1',
        'lvremove --test vg0/data',
        'lvresize -L +5G vg0/data',
        'dd if=/dev/zero of=disk.img bs=1M count=10',
        'fdisk -l',
        'lsblk',
        'mkfs.ext4 disk.img',
        'mkfs.ext4 --help',
        'fsck -n /dev/sdb1',
        'tune2fs -l /dev/sda1',
        'zpool list',
        'parted -l',
        'sfdisk -l /dev/sdb',
        'mkfs.xfs --version',
        'echo x > /dev/null',
        'format disk --help',
        'truncate -s 100M disk.img',
        'dd if=/dev/sda of=head.img count=1',
      ],
    },
  },
  {
    id: 'disk-fill',
    about: 'Files of hundreds of gigabytes, which fill the disk',
    standard: 'ask',
    strict: 'ask',
    instead: 'Make it as small as the test needs: `fallocate -l 100M disk.img`.',
    programs: ['dd', 'fallocate', 'mkfile', 'xfs_mkfile'],
    call: ({ program, words }) => {
      const value = (name: string) => bytesOf(words.find((word) => word.startsWith(name))?.slice(name.length))
      const has = (form: RegExp) => words.some((word) => form.test(word))
      if (
        program === 'dd' &&
        has(/^if=\/dev\/(?:zero|u?random)$/) &&
        has(/^of=(?!\/dev\/)/) &&
        !has(/^count=/)
      )
        return 'dd writes until the disk is full'
      const size =
        program === 'dd'
          ? value('bs=') * value('count=')
          : Math.max(...words.map((word) => bytesOf(word.replace(/^(?:-l|--length=)/, ''))))
      return size >= FILLS_DISK ? `${program} writes ${Math.round(size / 2 ** 30)} GB` : undefined
    },
    examples: {
      match: [
        'dd if=/dev/zero of=big bs=1M',
        'fallocate -l 2T x.img',
        'dd if=/dev/zero of=x.img bs=1G count=900',
        'mkfile 500g x',
      ],
      noMatch: [
        'fallocate -l 100M disk.img',
        'dd if=/dev/zero of=x.img bs=1M count=1024',
        'dd if=a.iso of=b.iso bs=4M',
      ],
    },
  },
  {
    id: 'backup-delete',
    about: 'Deleting backups and snapshots',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at what is there: `restic snapshots`.',
    programs: Object.keys(BACKUPS),
    call: (call) => {
      if (isHelp(call) || isDryRun(call, '-n')) return undefined
      const words = call.words.join(' ')
      const said = operands(call, options('-r --repo -p --password-file --config -c')).join(' ')
      return BACKUPS[call.program]?.test(said) ||
        (/--remove-older-than|--delete/.test(words) && BACKUPS[call.program]?.test(words))
        ? `${call.program} ${said}`.trim().slice(0, 60)
        : undefined
    },
    examples: {
      match: [
        'restic forget --keep-last 1 --prune',
        'borg delete /backup/repo',
        'tmutil delete /Volumes/b',
        'restic -r /srv/r prune',
        'rustic forget --prune',
        'proxmox-backup-client snapshot forget vm/1',
      ],
      noMatch: [
        'restic snapshots',
        'borg list /backup/repo',
        'restic forget --keep-last 1 --dry-run',
        'borg create repo::x .',
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
    call: (call, { place }) => {
      const { program } = call
      if (program === 'mv')
        return operands(call).at(-1) === '/dev/null' ? 'files moved to /dev/null are gone' : undefined
      if (program === 'rsync')
        return call.words.some((word) => /^--(?:delete|remove-source-files)/.test(word)) &&
          !isDryRun(call, '-n') &&
          locationOfWord(operands(call).at(-1) ?? '', place) !== 'temp'
          ? 'rsync --delete removes what the source does not have'
          : undefined
      if (program === 'cp') return operands(call)[0] === '/dev/null' ? 'it empties a file' : undefined
      const files = operands(call, options('-n --iterations -s --size'))
      return files.some((path) => locationOfWord(path, place) !== 'temp') && !isHelp(call)
        ? `${program} leaves nothing to restore`
        : undefined
    },
    examples: {
      match: ['shred -u notes.txt', 'mv ~/documents /dev/null', 'rsync -a --delete empty/ src/'],
      noMatch: [
        'mv a b',
        'rsync -av src/ dst/',
        'rsync -an --delete src/ dst/',
        'rsync -a --delete src/ /tmp/mirror/',
        'shred --help',
        'shred -u /tmp/key.tmp',
      ],
    },
  },
]

const FILLS_DISK = 200 * 2 ** 30

function bytesOf(text = ''): number {
  const [, digits, unit = ''] = /^(\d{1,15})([kmgtp]?)(?:i?b)?$/i.exec(text) ?? []
  return digits === undefined ? 0 : Number(digits) * 1024 ** ' kmgtp'.indexOf(unit.toLowerCase() || ' ')
}

const WIPERS =
  /^(?:mkfs(?:\..+)?|mke2fs|newfs(?:_\w+)?|mkswap|wipefs|blkdiscard|lvremove|vgremove|pvremove|sfdisk|cfdisk|gdisk|fdisk|sgdisk|parted|badblocks|shred|diskpart|fsck(?:\..+)?|e2fsck|xfs_repair|resize2fs|tune2fs|ntfsresize|ntfsclone|debugfs|restore|pvcreate|vgcreate|vgreduce|lvreduce|lvresize|pvresize)$/

const DEVICE = /^\/dev\/(?!null$|zero$|shm\/|loop)/

/** Options with which they tell what they would do, or what is there. The same letter is another option elsewhere: a label, a partition. */
const ONLY_LOOKS: readonly (readonly [RegExp, RegExp])[] = [
  [/^wipefs$/, /^-[abfopqt]*n[abfopqt]*$|^--no-act$/],
  [/^sfdisk$/, /^-[a-zA-Z]*[lndJFVsTgx]$|^--(?:no-act|dump|json|list\S*|verify|show\S*)$/],
  [/^fdisk$/, /^-[lxs]$|^--(?:list\S*|getsz)$/],
  [/^(?:gdisk|tune2fs)$/, /^-l$|^--list$/],
  [/^sgdisk$/, /^-[pPiv]$|^--(?:print|pretend|info\S*|verify)$/],
  [/^(?:mke2fs|mkfs\.ext[234])$/, /^-[qvFc]*n[qvFc]*$/],
  [/^mkfs\.xfs$/, /^-[qf]*N[qf]*$/],
  [/^mkfs\.ntfs$/, /^-[qvfQF]*n$|^--no-action$/],
  [/^ntfsresize$/, /^-[fvP]*[nim]$|^--(?:no-action|info\S*)$/],
  [/^resize2fs$/, /^-P$/],
  [
    /^(?:lvremove|vgremove|pvremove|pvcreate|vgcreate|vgreduce|lvreduce|lvresize|pvresize)$/,
    /^-[fyv]*t[fyv]*$|^--test$/,
  ],
]

const CHANGES_PARTITIONS =
  /^(?:mklabel|mktable|mkpart(?:fs)?|mkfs|rm|resize(?:part)?|move|rescue|set|disk_(?:set|toggle)|toggle|name|type)$/

function onlyLooks({ program, words }: Pick<Call, 'program' | 'words'>): boolean {
  if (program === 'parted')
    return (
      /^-l$|^--list$/.test(words[0] ?? '') ||
      (words.includes('print') && !words.some((word) => CHANGES_PARTITIONS.test(word)))
    )
  const looks = ONLY_LOOKS.find(([programs]) => programs.test(program))?.[1]
  return looks !== undefined && words.some((word) => looks.test(word))
}

function diskCall(call: Call): string | undefined {
  const { program, words } = call
  const device = words.find((word) => DEVICE.test(word))
  // Beside a device, any word but the first may be the value of an option: mkfs.ext4 -L --help /dev/sda1.
  const asksHelp = device === undefined ? isHelp(call) : words[0] === '--help'
  if (asksHelp || asksVersion(call) || onlyLooks(call)) return undefined
  if (program === 'dd') {
    const to = words.find((word) => word.startsWith('of='))?.slice(3) ?? ''
    return DEVICE.test(to) && !/^\/dev\/(?:null|stdout|fd\/|tty)/.test(to) ? `dd writes to ${to}` : undefined
  }
  if (WIPERS.test(program)) {
    if (program === 'wipefs' && !words.some((word) => /^-\w*[ao]|^--(?:all|offset|force)/.test(word)))
      return undefined
    if (program === 'badblocks' && !words.some((word) => /^-\w*w/.test(word))) return undefined
    // They only look: fsck -n, tune2fs -l, debugfs without -w.
    if (/fsck|xfs_repair/.test(program) && words.some((word) => /^-\w*[nN]/.test(word))) return undefined
    if (program === 'debugfs' && !words.includes('-w')) return undefined
    if (program === 'diskpart') return 'diskpart changes partitions'
    if (/^[lvp]vremove$|^vgremove$/.test(program) && words.length > 0) return `${program} removes a volume`
    const size = words[words.findIndex((word) => /^(?:-[lL]|--size|--extents)$/.test(word)) + 1]
    const shrinks = /^(?:lv|vg)reduce$/.test(program) || (program === 'lvresize' && size?.startsWith('-'))
    if (shrinks && words.length > 0) return `${program} makes a volume smaller`
    return device === undefined ? undefined : `${program} works on ${device}`
  }
  const [verb = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  if (program === 'blockdev')
    return words.some((word) => /^--(?:set|rereadpt|flushbufs)/.test(word))
      ? `blockdev changes ${device ?? 'a device'}`
      : undefined
  if (program === 'zpool' || program === 'zfs')
    return /^(?:destroy|labelclear|rollback)$/.test(verb) ? `${program} ${verb}` : undefined
  if (program === 'cryptsetup')
    return /^(?:luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|luksAddKey|luksChangeKey|resize|reencrypt)$/.test(
      verb,
    )
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

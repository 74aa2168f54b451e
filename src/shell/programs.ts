/**
 * What common programs do to the files they are given. A row says what becomes of the operands and of the values of some
 * options; programs whose words mean more than that have a function in program-effects.ts.
 */
export type Role = 'reads' | 'writes' | 'deletes'

export interface Program {
  /** Options with a value. */
  readonly values?: string
  /** `copy`: the last operand is written, the others are read; `move`: the others are deleted. */
  readonly operands?: Role | 'copy' | 'move'
  /** How many operands come before the files: the mode of chmod, the pattern of grep. */
  readonly skip?: number
  /** A lone operand that is a path is no expression: `yq ./a.yaml`. */
  readonly skipsNoPath?: true
  /** With one of these options no operand is skipped: `grep -e`. */
  readonly noSkip?: string
  /** The same with such a word, which looks like an option: the mode of `chmod -x`. */
  readonly noSkipWord?: RegExp
  /** Options whose value is a file. */
  readonly options?: Readonly<Record<string, Role>>
  /** Options that make it recursive; `true`: it always is. */
  readonly recursive?: string | true
  /** With one of these options operands are written, too: `sed -i`. */
  readonly writesWith?: string
  /** With one of these options operands are deleted. */
  readonly deletesWith?: string
  /** The option that names the target folder of a copy. */
  readonly target?: string
  /** `service`: it sends to a host that its own settings name. */
  readonly network?: 'sends' | 'receives' | 'service'
}

/** They run the text that they read. */
export const SHELLS =
  /^(?:sh|bash|zsh|dash|ksh|ksh93|ash|rbash|mksh|pdksh|oksh|loksh|yash|posh|osh|ysh|csh|tcsh|fish|elvish|nu|pwsh|powershell)(?:\.exe)?$/

const READER: Program = { operands: 'reads' }
const WRITER: Program = { operands: 'writes' }
const DELETER: Program = { operands: 'deletes' }
const PACKER: Program = { values: 'S suffix', operands: 'writes', deletesWith: 'd decompress' }
const SEARCH: Program = {
  values:
    'e regexp f file m max-count A after-context B before-context C context d D g glob t type T include exclude exclude-dir j threads',
  operands: 'reads',
  skip: 1,
  noSkip: 'e regexp f file files',
  options: { f: 'reads', file: 'reads' },
  recursive: 'r R recursive dereference-recursive',
}
const MODE: Program = {
  values: 'reference from',
  operands: 'writes',
  skip: 1,
  noSkip: 'reference',
  noSkipWord: /^-[rwxXst]+$/,
  recursive: 'R recursive',
}
/** They show their operands, and take no option with a file. */
const MORE_READERS =
  'pr pv tsort expand unexpand ptx nroff troff groff mandoc hd hexyl zless zmore bzcat bzless lzcat zstdcat xzless rview sdiff diff3 colordiff ' +
  'delta wdiff vimdiff xmllint pandoc glow mdcat dasel gron mlr csvlook csvcut pax uuencode basenc sum catdoc lolcat'

const COMPILER: Program = { values: 'o I L l D x include', operands: 'reads', options: { o: 'writes' } }

export const PROGRAMS: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(MORE_READERS.split(' ').map((name) => [name, READER])),
  shuf: {
    values: 'n head-count o output i random-source',
    operands: 'reads',
    options: { o: 'writes', output: 'writes' },
  },
  csplit: { values: 'f prefix b suffix-format n digits', operands: 'reads' },
  look: { values: 't terminate', operands: 'reads', skip: 1 },
  iconv: {
    values: 'f from-code t to-code o output',
    operands: 'reads',
    options: { o: 'writes', output: 'writes' },
  },
  man: { values: 'P pager l local-file', options: { l: 'reads', 'local-file': 'reads' } },
  date: { values: 'd date f file r reference s set', options: { f: 'reads', file: 'reads' } },
  rm: { operands: 'deletes', recursive: 'r R recursive' },
  rmdir: DELETER,
  unlink: DELETER,
  shred: { values: 'n iterations s size random-source', operands: 'writes', deletesWith: 'u remove' },
  srm: { operands: 'deletes', recursive: 'r R recursive' },
  wipe: { operands: 'deletes', recursive: 'r' },
  trash: DELETER,
  'trash-put': DELETER,
  rimraf: { operands: 'deletes', recursive: true },
  del: DELETER,
  'del-cli': { operands: 'deletes', recursive: true },
  'trash-cli': { operands: 'deletes', recursive: true },
  mv: { values: 't target-directory S suffix', operands: 'move', target: 't target-directory' },
  cp: {
    values: 't target-directory S suffix',
    operands: 'copy',
    target: 't target-directory',
    recursive: 'r R a recursive archive',
  },
  install: {
    values: 'm mode o owner g group t target-directory S suffix',
    operands: 'copy',
    target: 't target-directory',
  },
  ln: { values: 't target-directory S suffix', operands: 'copy', target: 't target-directory' },
  link: { operands: 'copy' },
  xargs: { values: 'I J R n P L d E s a arg-file', options: { a: 'reads', 'arg-file': 'reads' } },
  tee: WRITER,
  sponge: WRITER,
  touch: { values: 'd date r reference t time', operands: 'writes' },
  truncate: { values: 's size r reference', operands: 'writes' },
  fallocate: { values: 'l length o offset', operands: 'writes' },
  mkdir: { values: 'm mode', operands: 'writes' },
  mkfifo: WRITER,
  mknod: WRITER,
  mktemp: {},
  chmod: MODE,
  chown: MODE,
  chgrp: MODE,
  chattr: MODE,
  setfacl: { values: 'm modify x remove', operands: 'writes', recursive: 'R recursive' },
  mkswap: WRITER,
  wipefs: WRITER,
  fdisk: WRITER,
  sfdisk: WRITER,
  gdisk: WRITER,
  sgdisk: WRITER,
  parted: WRITER,
  blkdiscard: WRITER,
  patch: {
    values: 'p strip i input d directory o output',
    operands: 'writes',
    options: { i: 'reads', o: 'writes' },
  },
  ed: WRITER,
  ex: WRITER,
  vim: WRITER,
  vi: WRITER,
  nano: WRITER,
  emacs: WRITER,
  sed: {
    values: 'e expression f file l line-length',
    operands: 'reads',
    skip: 1,
    noSkip: 'e expression f file',
    options: { f: 'reads', file: 'reads' },
    writesWith: 'i in-place',
  },
  awk: {
    values: 'F v f i',
    operands: 'reads',
    skip: 1,
    noSkip: 'f',
    options: { f: 'reads' },
    writesWith: 'i',
  },
  gawk: {
    values: 'F v f i',
    operands: 'reads',
    skip: 1,
    noSkip: 'f',
    options: { f: 'reads' },
    writesWith: 'i',
  },
  perl: { values: 'e E I M m', operands: 'reads', writesWith: 'i' },
  ruby: { values: 'e I r', operands: 'reads', writesWith: 'i' },
  grep: SEARCH,
  egrep: SEARCH,
  fgrep: SEARCH,
  zgrep: SEARCH,
  rg: { ...SEARCH, recursive: true },
  ag: { ...SEARCH, recursive: true },
  ack: { ...SEARCH, recursive: true },
  cat: READER,
  tac: READER,
  bat: READER,
  batcat: READER,
  nl: READER,
  head: { values: 'n lines c bytes', operands: 'reads' },
  tail: { values: 'n lines c bytes s pid', operands: 'reads' },
  less: READER,
  more: READER,
  most: READER,
  view: READER,
  strings: { values: 'n t e', operands: 'reads' },
  od: { values: 'A t N j w', operands: 'reads' },
  xxd: { values: 'c g l o s', operands: 'reads' },
  hexdump: { values: 'n s e f', operands: 'reads' },
  base64: { values: 'w wrap', operands: 'reads' },
  base32: { values: 'w wrap', operands: 'reads' },
  cut: { values: 'd delimiter f fields c characters b bytes', operands: 'reads' },
  paste: { values: 'd delimiters', operands: 'reads' },
  sort: {
    values: 'k key t field-separator o output T S',
    operands: 'reads',
    options: { o: 'writes', output: 'writes' },
  },
  uniq: { values: 'f s w', operands: 'reads' },
  wc: { values: 'files0-from', operands: 'reads', options: { 'files0-from': 'reads' } },
  rev: READER,
  fold: { values: 'w', operands: 'reads' },
  fmt: { values: 'w', operands: 'reads' },
  column: { values: 's o c N', operands: 'reads' },
  comm: READER,
  join: { values: 't 1 2 j o', operands: 'reads' },
  diff: {
    values: 'U C x exclude from-file to-file',
    operands: 'reads',
    options: { 'from-file': 'reads', 'to-file': 'reads' },
    recursive: 'r recursive',
  },
  cmp: READER,
  file: {
    values: 'f files-from m magic-file F',
    operands: 'reads',
    options: { f: 'reads', 'files-from': 'reads' },
  },
  stat: { values: 'c format f', operands: 'reads' },
  md5sum: READER,
  sha1sum: READER,
  sha256sum: READER,
  sha512sum: READER,
  cksum: READER,
  jq: { values: 'arg argjson indent f from-file', operands: 'reads', skip: 1, noSkip: 'f from-file' },
  yq: { values: 'o p', operands: 'reads', skip: 1, skipsNoPath: true, writesWith: 'i inplace' },
  ls: { values: 'I w', operands: 'reads', recursive: 'R recursive' },
  tree: { values: 'L I P o', operands: 'reads', recursive: true, options: { o: 'writes' } },
  du: {
    values: 'd max-depth files0-from',
    operands: 'reads',
    recursive: true,
    options: { 'files0-from': 'reads' },
  },
  source: READER,
  '.': READER,
  split: { values: 'b l n a', operands: 'reads' },
  openssl: {
    values: 'in out key inkey cert pass k',
    options: { in: 'reads', key: 'reads', inkey: 'reads', out: 'writes' },
  },
  gpg: { values: 'o output r recipient', operands: 'reads', options: { o: 'writes', output: 'writes' } },
  'ssh-keygen': { values: 'f t b C N', options: { f: 'writes' } },
  'ssh-add': READER,
  gzip: PACKER,
  gunzip: PACKER,
  bzip2: PACKER,
  xz: PACKER,
  zstd: PACKER,
  zcat: READER,
  xzcat: READER,
  zip: { values: 'x i P', operands: 'writes', recursive: 'r' },
  unzip: { values: 'd x P', operands: 'reads' },
  '7z': { operands: 'reads', skip: 1 },
  cpio: { options: { D: 'writes' }, values: 'D F O I' },
  pg_dump: {
    values: 'f file h U d p n t T Z j host username dbname port',
    options: { f: 'writes', file: 'writes' },
  },
  pg_dumpall: { values: 'f file h U p', options: { f: 'writes', file: 'writes' } },
  mysqldump: {
    values: 'r result-file h u P host user port',
    options: { r: 'writes', 'result-file': 'writes' },
  },
  mongodump: {
    values: 'o out archive uri h d c',
    options: { o: 'writes', out: 'writes', archive: 'writes' },
  },
  gcc: COMPILER,
  cc: COMPILER,
  clang: COMPILER,
  'g++': COMPILER,
  ssh: { network: 'sends' },
  sftp: { network: 'sends' },
  ftp: { network: 'sends' },
  lftp: { network: 'sends' },
  telnet: { network: 'sends' },
  nc: { network: 'sends' },
  ncat: { network: 'sends' },
  netcat: { network: 'sends' },
  socat: { network: 'sends' },
  mail: { network: 'service' },
  mailx: { network: 'service' },
  sendmail: { network: 'service' },
  swaks: { network: 'sends' },
  ping: { network: 'receives' },
  dig: { network: 'receives' },
  nslookup: { network: 'receives' },
  host: { network: 'receives' },
  whois: { network: 'receives' },
  nmap: { network: 'receives' },
  gh: { network: 'service' },
  glab: { network: 'service' },
  aws: { network: 'service' },
  gcloud: { network: 'service' },
  gsutil: { network: 'service' },
  az: { network: 'service' },
  rclone: { network: 'service' },
  s3cmd: { network: 'service' },
  kubectl: { network: 'service' },
  twine: { network: 'service' },
  http: { network: 'sends' },
  https: { network: 'sends' },
  xh: { network: 'sends' },
}

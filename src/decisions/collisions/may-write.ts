/**
 * Whether a command line may write or delete a file whose name is certain. A look at its words takes a fraction of the time that
 * parsing takes, and most lines of agents build, test and read.
 */
const WRITERS = `rm rmdir unlink shred srm wipe trash trash-put rimraf del del-cli trash-cli mv cp install ln link tee sponge touch truncate
  fallocate mkdir mkfifo mknod chmod chown chgrp chattr setfacl patch ed ex vim vi nano emacs sed gawk awk perl ruby php python python2
  python3 node bun deno sort shuf iconv yq tree openssl gpg ssh-keygen gzip gunzip bzip2 xz zstd zip unzip cpio tar pg_dump pg_dumpall mysqldump
  mongodump apply_patch applypatch gcc cc clang g\\+\\+ dd find curl wget wget2 aria2c axel fetch scp rsync sh bash zsh eval source xargs parallel`
const WRITES = new RegExp(
  `>|(?:^|[\\s;|&("'\`/=$])(?:${WRITERS.split(/\s+/).join('|')})(?![\\w-])|\\bgit\\b[^\\n;|&]*\\s(?:apply|am|checkout|restore|mv|rm|stash)\\b`,
)

export function mayWrite(line: string): boolean {
  return WRITES.test(line)
}

/** Files that are deleted: where they are, and who names them. */
import { isAbsolute } from 'node:path'
import { namesHome } from '../../../shell/index.ts'
import { type Call, has, listedBy, namedBy, operands, stdinOf } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import {
  IN_WORDS,
  isFilter,
  isFiltered,
  isIn,
  locationOf,
  locationOfWord,
  maybeOutside,
  pathOf,
  shown,
  type Where,
} from '../paths.ts'
import { ACCOUNTS } from './writes.ts'

function deleted(facts: Facts, wanted: readonly Where[], recursive?: boolean): string | undefined {
  for (const effect of maybeOutside(facts.effects.deletes, facts)) {
    const isTree = effect.recursive || effect.path.includes('**')
    const isMoved = facts.calls[effect.command]?.program === 'mv' && effect.path === facts.place.home
    if (recursive !== undefined && (isTree || isMoved) !== recursive) continue
    const where = locationOf(effect, facts.place)
    if (where === 'outside' && CACHE.test(inHome(effect.path, facts))) continue
    if (!wanted.includes(where) || (where === 'project' && isFiltered(effect, facts))) continue
    return `${shown(effect)} is ${IN_WORDS[where]}`
  }
  return undefined
}

/** One named cache: its program fills it again. */
const CACHE =
  /^\/(?:\.cache|Library\/Caches)\/[^/*?[]+(?:\/|$)|^\/(?:Library\/Developer\/Xcode\/DerivedData|\.npm\/_cacache|\.gradle\/caches|\.cargo\/registry)(?:\/|$)/

function inHome(path: string, { place }: Facts): string {
  return isIn(path, place.home) ? path.slice(place.home.length) : ''
}

/** `find . ! -name x -delete` deletes all but that. */
function deletedRest({ calls }: Facts): string | undefined {
  const walk = calls.find(
    ({ program, words }) =>
      program === 'find' &&
      words.some((word) => /^(?:!|-not)$/.test(word)) &&
      /^(?:\.\/?|!|-.*)$/.test(words[0] ?? '') &&
      !isFilter(words) &&
      words.some(
        (word, i) => word === '-delete' || (word === 'rm' && /^-(?:exec|ok)/.test(words[i - 1] ?? '')),
      ),
  )
  return walk && 'all but a few files of the project'
}

/** Names that only a pipe brings: any, all files of the project, or those that are in no commit. */
function deletedFromList({ calls, place }: Facts): string | undefined {
  for (const call of calls) {
    const feeder = call.program === 'rm' ? namedBy(calls, call) : undefined
    if (feeder === undefined || call.command.isRemote) continue
    if (operands(call).some((word) => !/^["']?[$`]|\{\}/.test(word))) continue
    const { program, words } = feeder
    const isAll =
      (program === 'find' && !isFilter(words)) ||
      (program === 'ls' && operands(feeder).length === 0) ||
      (program === '' &&
        feeder.command.redirects.some(({ operator, target }) => operator === '<' && !target.output)) ||
      (program === 'cat' && operands(feeder).length > 0 && !stdinOf(feeder)) ||
      (program === 'git' && words.includes('ls-files') && isAllFiles(feeder)) ||
      (LISTERS.test(program) &&
        (program !== 'rg' || words.includes('--files')) &&
        operands(feeder).some((word) => isElsewhere(word, place)))
    if (isAll || (has(call, '-r', '-R', '--recursive') && program !== 'find' && listedBy(calls, call)))
      return 'a pipe brings the names'
  }
  return undefined
}

const LISTERS = /^(?:ls|rg|fd|fdfind|tree|du|realpath|readlink|locate|mdfind)$/

function isElsewhere(word: string, place: Facts['place']): boolean {
  return /^(?:[~/]|\$HOME|\.\.)/.test(word) && !/^(?:inside|temp)$/.test(locationOfWord(word, place))
}

/** Files of no commit, or all of them: no path and no pattern behind `ls-files`. */
function isAllFiles(call: Call): boolean {
  if (has(call, '-o', '--others')) return true
  const behind = call.words.slice(call.words.indexOf('ls-files') + 1)
  return behind.every((word) => /^-(?:z|c|s|-cached|-full-name|-recurse-submodules|-)?$/.test(word))
}

const GIT_FILES = /(?:^|\/)\.git\/(?:HEAD|index|config|packed-refs|ORIG_HEAD|refs\/.*|objects\/.*|logs\/.*)$/

/** Git itself may write there. */
function writtenHistory({ effects, calls }: Facts): string | undefined {
  const effect = effects.writes.find(
    ({ path, command }) =>
      path.includes('.git/') && GIT_FILES.test(path) && calls[command]?.program !== 'git',
  )
  return effect && `${shown(effect)} is a part of the history`
}

const GIT_FOLDER = /(?:^|\/)\.git(?:\/\*?|\/(?:objects|refs|logs|hooks|HEAD|index|config)(?:\/.*)?)?$/

/** What others have in a temporary folder goes, too. */
function deletedTemp(facts: Facts): string | undefined {
  const effect = maybeOutside(facts.effects.deletes, facts).find(
    ({ path, recursive }) => recursive && /^(?:\/private)?(?:\/var)?\/tmp$|^\/dev\/shm$/.test(path),
  )
  return effect && `${shown(effect)} is used by other programs, too`
}

/** `gio trash`, `gio remove`: operands behind a verb. */
function trashed({ calls, place }: Facts): string | undefined {
  for (const call of calls) {
    if (call.program !== 'gio' && call.program !== 'kioclient') continue
    const [verb = '', ...paths] = operands(call)
    if (!/^(?:trash|remove|del)$/.test(verb)) continue
    const path = paths.find((one) => isElsewhere(one, place))
    if (path !== undefined) return `"${path}" is outside of the project`
  }
  return undefined
}

/** `ln -s / x && rm -rf x/` deletes behind the link. */
function deletedByLink({ calls, effects, place }: Facts): string | undefined {
  if (effects.deletes.length === 0) return undefined
  for (const call of calls) {
    if (call.program !== 'ln' || !has(call, '-s', '--symbolic')) continue
    const [target = '', name] = operands(call)
    if (name === undefined || /^(?:inside|temp|unknown)$/.test(locationOfWord(target, place))) continue
    const gone = effects.deletes.find(
      ({ text, command }) => command > call.index && text.startsWith(`${name.replace(/\/$/, '')}/`),
    )
    if (gone && isAbsolute(pathOf(target, place))) return `"${gone.text}" is behind a link to "${target}"`
  }
  return undefined
}

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
  /\b(?:unlink|unlinkSync|rmtree|remove_tree|rm_rf|rm_r|rm_f|rmSync|rmdirSync|removeSync|rimraf|os\.remove|os\.rmdir|FileUtils\.rm|File\.delete|fs\.rm|promises\.rm|rm(?=\()|Deno\.remove\w*|RemoveAll|delete_recursively|deleteRecursively|remove_dir_all|removeAll|deltree)\b/

const PLACE_IN_CODE = /['"`](\/[^'"`\s]*|~\/?[^'"`\s]*)['"`]/g

const MAX_CODE_CHARS = 20_000

/** The home folder, and all that is in the folder, as other languages say it. */
const HOME_IN_CODE =
  /(?:process\.env\.HOME|homedir\(\)|expanduser\(['"]~['"]\)|Path\.home\(\)|(?:ENV|environ)\[['"]HOME['"]\]|\$ENV\{HOME\}|getenv\(['"]HOME['"]\))\s*[,)]/
const ALL_IN_CODE =
  /(?:listdir|readdirSync|scandir|iterdir)\(\s*(?:['"]\.?['"])?\s*\)|glob\w*[( ]\s*['"](?:\*\*\/)?\*['"]|(?:rmtree|rmSync|rm_rf|rimraf|removeAll)\(\s*['"]\.\/?['"]/i

function deletedAllByCode({ calls }: Facts): string | undefined {
  const call = calls.find(({ command }) => {
    const code = command.code?.text.text.slice(0, MAX_CODE_CHARS)
    return code !== undefined && DELETING.test(code) && ALL_IN_CODE.test(code)
  })
  return call && `${call.program} deletes all that it finds`
}

/** What exactly goes is found out as it runs; that it starts from the home folder is not. */
function deletedHomeByCode({ calls }: Facts): string | undefined {
  const call = calls.find(({ command }) => {
    const code = command.code?.text.text.slice(0, MAX_CODE_CHARS)
    return code !== undefined && DELETING.test(code) && namesHome(code) && !/\btmp|temp/i.test(code)
  })
  return call && `${call.program} deletes, and looks for the home folder`
}

/** Other languages name what they delete as a text, mostly. */
function deletedByCode({ calls, place }: Facts): string | undefined {
  for (const { command, program } of calls) {
    const code = command.code?.text.text.slice(0, MAX_CODE_CHARS)
    if (code === undefined || !DELETING.test(code)) continue
    if (HOME_IN_CODE.test(code)) return `${program} deletes, and names the home folder`
    for (const [, path = ''] of code.matchAll(PLACE_IN_CODE)) {
      const where = locationOfWord(path, place)
      if (where === 'root' || where === 'system' || where === 'home')
        return `${program} deletes, and names "${path}", ${IN_WORDS[where]}`
    }
  }
  return undefined
}

export const DELETE_GUARDS: readonly Guard[] = [
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
      maybeOutside(facts.effects.deletes, facts)
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
    about: 'Deleting the whole project or its .git folder, and writing into that past git',
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
        .find(Boolean) ??
      writtenHistory(facts) ??
      deletedAllByCode(facts) ??
      deletedRest(facts),
    examples: {
      match: [
        'rm -rf .',
        'rm -rf *',
        'rm -rf .*',
        'rm -rf .git',
        'rm -rf ?*',
        'rm -rf [a-z]*',
        'rm -rf [A-Za-z]*',
        'rm -rf ./[[:alnum:]]*',
        'rm -rf ./[[:print:]]*',
        'rm -rf [!.]*',
        'rm -rf [^.]*',
        'rm -rf [!a]*',
        'rm -rf [!]]*',
        'rm -rf [abcdefghijklmnopqrstuvwxyz]*',
        'rm -rf ?(x)*',
        'rm -rf {[a-m],[n-z]}*',
        "find . -name '*' -delete",
        "find . -type f -name '*' -delete",
        "find . -path './*' -delete",
        "find . -wholename '*' -delete",
        "find . -type f -name '*.*' -delete",
        "find . -type f -name '[a-z]*' -delete",
        "find . -regex '.*' -delete",
        "find /home/user/project -path '/home/user/project/*' -delete",
        "find . -name '*' -exec rm -rf {} +",
        "find . -name '?*' | xargs rm -rf",
        "find ./ -path './?*' -delete",
        'rm -rf $PWD',
        'rm -rf ../project',
        'find . -delete',
        'find . -type f | xargs rm -f',
        'perl -e \'unlink glob("*")\'',
        'find . ! -name keep.md -delete',
        'find . -name keep.md -o -delete',
        'rm -rf !(keep.md)',
        "bash -O extglob -c 'rm -rf -- !(keep|this)'",
        'echo x > .git/HEAD',
        'truncate -s 0 .git/index',
      ],
      noMatch: [
        'rm -rf build',
        'rm -rf *.o',
        'rm -f *~',
        'rm -f \\#*\\#',
        'rm -f .*.swp',
        'rm -rf [0-9]*',
        'rm -rf dist/*',
        'rm -rf dist/[a-z]*',
        'rm -rf build/?*',
        "find . -name '*.pyc' -delete",
        "find . -path './build/*' -delete",
        "find . -path '*/__pycache__/*' -delete",
        'find . -empty -delete',
        "find build -name '*' -delete",
        "find . -name '*~' -delete",
        'rm -rf /tmp/x/[a-z]*',
        'rm *.log',
        'rm -f core.[0-9]*',
        'find . -name "*.pyc" -delete',
        'find . -name "*.pyc" -o -name "*.pyo" -delete',
        'rm -rf dist/!(keep.js)',
        'rm -f *.@(log|tmp)',
        'rm -rf node_modules/*',
        'rm .gitignore',
        'git config user.name me',
        'cat .git/HEAD',
        'echo dist >> .git/info/exclude',
      ],
    },
  },
  {
    id: 'delete-outside',
    about: 'Deleting files or folders outside of the project',
    standard: 'ask',
    strict: 'deny',
    instead: 'Stay inside of the project or in /tmp: `rm -r ./build`. Ask the owner to delete the rest.',
    finds: (facts) =>
      deleted(facts, ['outside']) ??
      deleted(facts, ['home'], false) ??
      deletedByLink(facts) ??
      deletedTemp(facts) ??
      deletedHomeByCode(facts) ??
      trashed(facts) ??
      farDelete(facts),
    examples: {
      match: [
        'rm -rf ../other',
        'rm -rf /opt/app',
        'rm -rf ~/work/other',
        'rm ~/notes.txt',
        'ssh host rm -rf /data',
        'docker exec db rm -rf /var/lib/postgresql',
        'aws ssm send-command --parameters \'commands=["cd /srv","rm -rf /"]\'',
        "az vm run-command invoke -n v --command-id RunShellScript --scripts 'rm -rf /srv'",
        "ansible all -a 'rm -rf /srv'",
        'ln -s / out && rm -rf out/',
        'rm -rf /tmp',
        'rm -rf ~/.cache',
        'rm -rf ~/.cache/*',
        'rm -rf ~/.cache/p*',
        'gio trash ~/Documents',
        'ruby -rfileutils -e \'FileUtils.rm_r(File.join(Dir.home, "notes"))\'',
        'deno eval \'Deno.removeSync(Deno.env.get("HOME") + "/notes", {recursive: true})\'',
        'python3 -c "import shutil, os; shutil.rmtree(os.path.expanduser(\'~/old\'))"',
      ],
      noMatch: [
        'rm -rf build',
        'rm -rf /tmp/x',
        'rm -rf /tmp/*',
        'rm -rf ~/.cache/pip',
        'rm -rf ~/.cache/pip/http',
        'rm -rf ~/Library/Developer/Xcode/DerivedData',
        'rm -f /tmp/*.log',
        'rm -rf $TMPDIR/build',
        'rm file.txt',
        'docker exec web rm -rf /tmp/cache',
        'aws ssm send-command --parameters \'commands=["uptime"]\'',
        "python3 -c \"import subprocess; subprocess.run(['docker', 'run', '--rm', '-v', '/tmp/x:/etc/x'])\"",
        "node -e \"require('fs').rmSync('dist', {recursive: true})\"",
        'python3 -c "import os; print(os.path.expanduser(\'~/old\'))"',
        'ln -s /opt/x out && rm out',
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
      match: [
        'rm -rf "$DIR"',
        'rm -rf $PREFIX/lib',
        'rm -rf "$(cat list)"',
        'cat list | xargs rm -rf',
        'git ls-files -o | xargs rm',
        'git ls-files -z | xargs -0 rm -f',
        'rm -f $(git ls-files)',
        'for f in `git ls-files`; do rm "$f"; done',
        'git ls-files | while read f; do rm "$f"; done',
        'while read f; do rm -f "$f"; done < files.txt',
        'cat files.txt | while read f; do rm "$f"; done',
        'for f in $(cat files.txt); do rm $f; done',
        'rm -rf $TMPDIR/*',
        `rm -rf "\${TMPDIR}/"`,
        `rm -rf \${TMPDIR}*`,
        'rm -rf $TMPDIR/etc',
        'rm -rf "$RUNNER_TEMP"/../*',
        'find $TMPDIR -type f -delete',
        "find $TMP/ -name '*.so' -delete",
        'rm -rf $TEMPLATE_DIR',
        'ls -d /opt/app-* | xargs sudo rm -rf',
        'rg --files /opt/app | xargs rm -f',
      ],
      noMatch: [
        'rm -rf "$TMPDIR"',
        'rm -rf $TMPDIR/build',
        'rm -rf "$TMPDIR"/app-*',
        `rm -rf "\${TMPDIR:-/tmp}"/*`,
        `rm -rf \${TMPDIR:?}/*`,
        'TMPDIR=/tmp/x; rm -rf $TMPDIR/*',
        "find $TMPDIR -name '*.log' -delete",
        'D=build; rm -rf "$D"',
        'rm -rf "$(mktemp -d)"',
        'rm "$FILE"',
        'ls *.tmp | xargs rm',
        'for f in $(ls *.tmp); do rm "$f"; done',
        'ls *.tmp | while read f; do rm "$f"; done',
        'rm "$($LIST_FILE)"',
        'git ls-files | while read f; do wc -l "$f"; done; rm "$g"',
        'ls *.tmp | xargs sudo rm -f',
        'rg -l /api/v1 | xargs rm -f',
        'ls -t /tmp/*.log | xargs rm -f',
        "git ls-files '*.orig' | xargs rm",
        'git ls-files -d | xargs git rm',
        "find . -name '*.o' | xargs rm -f",
      ],
    },
  },
]

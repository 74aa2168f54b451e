/** Commands that stand in the text of a filter, in a file, in a variable, in an option or in code, each with look-alikes. */
import { describe, expect, test } from 'bun:test'
import { effectsOf } from './effects.ts'
import { parseScript } from './script.ts'
import { started } from './testkit.ts'

/** A script, and what it starts besides what stands in its own words. */
const TABLES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'text that a filter makes': {
    'ls | awk \'{print "rm " $1}\' | sh': ['rm ?$field'],
    'echo a b | awk \'{print "rm " $2}\' | sh': ['rm b'],
    'awk \'BEGIN { printf "rm %s\\n", "x" }\' | sh': ['rm x'],
    "ls | sed 's/.*/rm &/' | sh": ['rm ?$line'],
    "ls | sed 's/^/rm -f /' | sh": ['rm -f ?$line'],
    "echo 'mv x y' | sed 's/mv/rm/' | sh": ['rm x y'],
    "echo 'rm-x' | sed -e 's/-/ /' | bash": ['rm x'],
    "echo 'a b' | sed 's/\\(.*\\) \\(.*\\)/\\2 \\1/' | sh": ['b a'],
    'yes rm x | head -1 | sh': ['rm x'],
    "printf 'ls\\nrm x\\n' | tail -n 1 | sh": ['rm x'],
    "printf 'rm x\\nls\\n' | tac | head -n1 | sh": ['ls'],
    "echo 'eb k' | tr 'a-z' 'n-za-m' | sh": ['ro x'],
    "echo 'r,m x' | tr -d , | sh": ['rm x'],
    "echo 'RM X' | tr '[:upper:]' '[:lower:]' | sh": ['rm x'],
    "echo 'a:rm x:b' | cut -d: -f2 | sh": ['rm x'],
    "echo 'zzrm x' | cut -c3- | sh": ['rm x'],
    'echo OJWSA6A= | base32 -d | sh': ['rm x'],
    'echo cm0geA== | openssl base64 -d | sh': ['rm x'],
    'python3 -c \'print("rm x")\' | sh': ['rm x'],
    'perl -e \'print "rm x\\n"\' | sh': ['rm x'],
    'cat <(echo rm x) | sh': ['echo rm x', 'rm x'],
    'find a | sort | xargs rm': ['rm ?a/**/*'],
    'find a | grep b | xargs rm': ['rm ?{}'],
    'find a | head -3 | xargs rm': ['rm ?{}'],
    // Look-alikes: the same text, and no shell that reads it.
    'ls | awk \'{print "rm " $1}\'': [],
    "ls | sed 's/.*/rm &/' > list": [],
    'yes rm x | head -1 | wc': [],
    "ls | awk '{print $1}' | sh": [],
  },
  'files that the script writes and then runs': {
    "echo 'rm x' > f; sh f": ['rm x'],
    "echo 'rm x' > f; cat f | sh": ['rm x'],
    "echo 'rm x' > f; sh < f": ['rm x'],
    "echo 'rm x' > f; . ./f": ['rm x'],
    "echo 'rm x' > ./f && source f": ['rm x'],
    "echo 'rm x' > f; chmod +x f; ./f": ['sh ./f', 'rm x'],
    'cat > f <<E\nrm "$1"\nE\nbash f y': ['rm y'],
    "{ echo 'rm x'; echo 'ls y'; } > f; sh f": ['rm x', 'ls y'],
    "echo 'rm \\' > f; echo x >> f; sh f": ['rm x'],
    "echo 'rm x' | tee f > /dev/null; sudo bash f": ['bash f', 'rm x'],
    "echo 'rm x' > f; cp f g; sh g": ['rm x'],
    'echo cm0geA== | base64 -d > f; sh f': ['rm x'],
    "cd d; echo 'rm x' > f; cd ..; sh d/f": ['rm x'],
    "t=$(mktemp); echo 'rm x' > $t; sh $t": ['mktemp', 'rm x'],
    'printf \'#!/usr/bin/env python3\\nimport os\\nos.system("rm x")\\n\' > f; ./f': [
      '/usr/bin/env python3 ./f',
      'python3 ./f',
      'rm x',
    ],
    'echo \'import os; os.system("rm x")\' > f.py; python3 f.py': ['rm x'],
    "echo 'rm x' > f; BASH_ENV=f bash -c :": [':', 'rm x'],
    "printf 'all:\\n\\t@rm x\\n' > Makefile; make": ['rm x'],
    "printf 'all:\\n\\trm x\\n' | make -f -": ['rm x'],
    'echo a > f; xargs -a f rm': ['rm a'],
    "echo 'rm x' > f; at -f f now": ['rm x'],
    // Look-alikes: the file is another one, or nobody runs it.
    "echo 'rm x' > f; cat f": [],
    "echo 'rm x' > f; sh g": [],
    "echo 'rm x' > f; ls > f; sh f": [],
    "echo 'rm x' > f; grep rm f": [],
    "(cd d; echo 'rm x' > f); sh f": [],
    "echo 'rm x' > git; git status": [],
    'cp f g; sh g': [],
  },
  'variables that hold a command': {
    "GIT_PAGER='rm x' git log": ['rm x'],
    "PAGER='rm x' man ls": ['rm x'],
    "export GIT_EDITOR='rm x'; git commit": ['rm x'],
    "EDITOR='rm x'; crontab -e": ['rm x'],
    "env GIT_SSH_COMMAND='rm x' git fetch": ['git fetch', 'rm x'],
    "declare -x RSYNC_RSH='rm x'": ['rm x'],
    "LESSOPEN='|rm x %s' less f": ['rm x %s'],
    "PS4='$(rm x)' bash -x f": [': ?$(rm x)', 'rm x'],
    "TAR_OPTIONS='--to-command=rm' tar xf a": ['tar --to-command=rm', 'rm'],
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x' git log": ['rm x'],
    "env X='() { :;}; rm x' bash -c y": ['bash -c y', 'y', 'rm x', ':'],
    // Look-alikes: other variables, and values that start nothing bad.
    "MESSAGE='rm x' git log": [],
    'EDITOR= git commit': [],
    'GIT_PAGER=cat git log': ['cat'],
    "PS1='$ ' bash": [],
  },
  'options that hold a command': {
    "tar -I 'rm x' -xf a": ['rm x'],
    "tar xf a --to-command 'rm x'": ['rm x'],
    'tar cf a --checkpoint=1 --checkpoint-action=exec="rm x" b': ['rm x'],
    "tar -F 'rm x' -cf a b": ['rm x'],
    "rsync -e 'rm x' a h:b": ['rm x'],
    "ssh -o BatchMode=yes -o ProxyCommand='rm x' h": ['rm x'],
    "scp -o 'ProxyCommand rm x' a h:": ['rm x'],
    "man -P 'rm x' ls": ['rm x'],
    "go test -exec 'rm x' ./...": ['rm x'],
    "go build -toolexec='rm x'": ['rm x'],
    "make SHELL='rm x'": ['rm x'],
    "make -f <(printf 'a:\\n\\trm x\\n')": ['printf a:\\n\\trm x\\n', 'rm x'],
    "sort --compress-program='rm' f": ['rm'],
    "split --filter='rm x' f": ['rm x'],
    "sed 's/a/rm x/e' f": ['rm x'],
    "sed '1e rm x' f": ['rm x'],
    "vim -c ':!rm x' f": ['rm x'],
    "gdb -ex 'shell rm x' p": ['p', 'rm x'],
    "psql -c '\\! rm x'": ['rm x'],
    "git difftool -x 'rm x'": ['rm x'],
    "git difftool --extcmd='rm x' HEAD": ['rm x'],
    "git clone --upload-pack 'rm x' h:r": ['rm x'],
    "git fetch --upload-pack='rm x'": ['rm x'],
    "git grep --open-files-in-pager='rm x' y": ['rm x'],
    "git clone -c core.sshCommand='rm x' h:r": ['rm x'],
    "git config core.editor 'rm x'": ['rm x'],
    "git clone 'ext::rm x' d": ['rm x'],
    "git config alias.p 'push -f' && git p origin": ['git push -f origin'],
    "git config --global alias.z '!rm' && git z x": ['rm x'],
    "git filter-branch --index-filter 'rm x' HEAD": ['rm x'],
    // Look-alikes.
    'tar -xzf a -C b': [],
    "rsync -a --exclude 'rm x' a b": [],
    'ssh -o User=x -p 22 h': [],
    "sed -e 's/a/rm x/' f": [],
    "sed 's/^e rm x/y/' f": [],
    "go test -run 'rm x' ./...": [],
    "git config user.name 'rm x'": [],
    'git config alias.st status && git status': [],
    "git log --grep 'rm x'": [],
    'make CC=gcc all': [],
    "vim -c 'set number' f": [],
  },
  'code of other languages': {
    "ipython -c '!rm x'": ['rm x'],
    'guile -c \'(system "rm x")\'': ['rm x'],
    'guile -c \'(system* "rm" "x")\'': ['rm x'],
    'Rscript -e \'system("rm x")\'': ['rm x'],
    'R -e \'system2("rm", c("-f", "x"))\'': ['rm -f x'],
    "julia -e 'run(`rm x`)'": ['rm x'],
    'elixir -e \'System.cmd("rm", ["-f", "x"])\'': ['rm -f x'],
    'erl -noshell -eval \'os:cmd("rm x")\'': ['rm x'],
    'ghc -e \'System.Process.callCommand "rm x"\'': ['rm x'],
    'scala -e \'import sys.process._; "rm x".!\'': ['rm x'],
    'groovy -e \'"rm x".execute()\'': ['rm x'],
    'groovy -e \'["rm", "x"].execute()\'': ['rm x'],
    'jshell <<< \'Runtime.getRuntime().exec("rm x");\'': ['rm x'],
    'jshell <<< \'new ProcessBuilder("rm", "x").start();\'': ['rm x'],
    'lua -e \'os.execute("rm x")\'': ['rm x'],
    'luajit -e \'io.popen("rm x")\'': ['rm x'],
    'emacs --batch --eval \'(shell-command "rm x")\'': ['rm x'],
    'emacs --batch --eval \'(call-process "rm" nil nil nil "x")\'': ['rm x'],
    "tclsh <<< 'exec rm x'": ['rm x'],
    "expect -c 'spawn rm x'": ['rm x'],
    'swift -e \'system("rm x")\'': ['rm x'],
    'octave --eval \'system("rm x")\'': ['rm x'],
    'bb -e \'(clojure.java.shell/sh "rm" "x")\'': ['rm x'],
    'go run <(echo \'exec.Command("rm", "x").Run()\')': ['echo exec.Command("rm", "x").Run()', 'rm x'],
    'awk \'BEGIN { "rm x" | getline }\'': ['rm x'],
    'awk \'BEGIN { print "rm x" | "sh" }\'': ['sh', 'rm x'],
    "ruby -e '%x(rm x)'": ['rm x'],
    'python3 -c \'import os; os.system("rm " + "x")\'': ['rm x'],
    'python3 -c \'import os; getattr(os, "sys" + "tem")("rm x")\'': ['rm x'],
    'python3 -c \'__import__("os").system("rm x")\'': ['rm x'],
    'python3 -c \'import os; c = "rm x"; os.system(c)\'': ['rm x'],
    'node -e \'require("child_process")["execSync"]("rm x")\'': ['rm x'],
    'python3 -c \'import pty; pty.spawn(["rm", "x"])\'': ['rm x'],
    'deno eval \'new Deno.Command("rm", {args: ["-f", "x"]}).outputSync()\'': ['rm -f x'],
    'perl -MFile::Simple -e \'system "rm x"\'': ['rm x'],
    // Look-alikes: strings that are only printed, or compared.
    'python3 -c \'print("rm x")\'': [],
    'elixir -e \'IO.puts "rm x"\'': [],
    'Rscript -e \'x <- "rm x"\'': [],
    'awk \'$1 == "rm x" { print $2 }\' f': [],
    'awk \'{ print $1 | "sort" }\' f': ['sort'],
    "tclsh <<< 'puts {rm x}'": [],
    'julia -e \'println("rm x")\'': [],
  },
  'more wrappers': {
    "env -S bash -c 'rm x'": ['bash -c rm x', 'rm x'],
    "env -S 'bash -c' 'rm x'": ['bash -c rm x', 'rm x'],
    'env - rm x': ['rm x'],
    'faketime yesterday rm x': ['rm x'],
    'proot -r / rm x': ['rm x'],
    'wsl rm x': ['rm x'],
    'wsl -e rm x': ['rm x'],
    'npx shx rm x': ['shx rm x', 'rm x'],
    'bwrap --ro-bind / / --dev /dev rm x': ['rm x'],
    'sshpass -p a ssh h rm x': ['ssh h rm x', 'rm x'],
    'xterm -e rm x': ['rm x'],
    "gnome-terminal -- sh -c 'rm x'": ['sh -c rm x', 'rm x'],
    'nix shell nixpkgs#a -c rm x': ['rm x'],
    "capsh -- -c 'rm x'": ['bash -c rm x', 'rm x'],
    'cross-env A=b rm x': ['rm x'],
    "concurrently 'rm x' 'ls y'": ['rm x', 'ls y'],
    "pwsh -Command 'rm x'": ['rm x'],
    "git submodule foreach 'rm -f --one-file-system x'": ['rm -f --one-file-system x'],
    'git submodule foreach --recursive rm --force x': ['rm --force x'],
    'git submodule --quiet foreach git push --force': ['git push --force'],
    "parallel sh -c ::: 'rm x'": ['sh -c rm x', 'rm x'],
    'echo a | parallel rm': ['rm a'],
    'echo a | xargs --replace= rm {}': ['rm a'],
    'cat$IFS$9/a': [],
    'npm pkg set scripts.a="rm b" && npm run a': ['rm b'],
    'npm pkg set scripts.postinstall="rm b"; npm i': ['rm b'],
    'taskset --cpu-list=0 -- rm a': ['rm a'],
    'taskset -c 0 rm a': ['rm a'],
    // Look-alikes.
    'npm pkg set scripts.a="rm b" && npm run c': [],
    'npm pkg get scripts.a && npm run a': [],
    'git submodule update --init': [],
    'faketime yesterday': [],
    'xterm -title a': [],
    'env -i': [],
    'wsl --version': [],
  },
}

for (const [title, table] of Object.entries(TABLES))
  describe(title, () => {
    for (const [source, expected] of Object.entries(table))
      test(source.replace(/\n/g, '⏎'), () => {
        expect(parseScript(source).why).toBeUndefined()
        expect(hidden(source)).toEqual([...expected])
      })
  })

/** What is started besides the commands of the script's own syntax. */
function hidden(source: string): string[] {
  return started(source, ({ via }) => via !== 'script')
}

describe('files that', () => {
  const PLACE = { cwd: '/p', home: '/home/u' }
  const deleted = (source: string) => effectsOf(parseScript(source), PLACE).deletes.map(({ path }) => path)

  test('a find takes in spite of a name', () => {
    expect(deleted("find a ! -name '*.md' -delete")).toEqual(['/p/a/**/*'])
    expect(deleted("find a -not -name b -name '*.c' -delete")).toEqual(['/p/a/**/*.c'])
    expect(deleted("find a -name '*.md' -delete")).toEqual(['/p/a/**/*.md'])
  })

  test('a find takes of its last alternative', () => {
    expect(deleted('find a -name b -o -delete')).toEqual(['/p/a/**/*'])
    expect(deleted('find a -name b -o -name c -delete')).toEqual(['/p/a/**/c'])
    expect(deleted('find a \\( -name b -o -name c \\) -delete')).toEqual(['/p/a/**/b', '/p/a/**/c'])
    expect(deleted('find a -name b -o -name c -print')).toEqual([])
  })

  test('code names by the home folder', () => {
    expect(deleted("node -e \"require('fs').rmSync(require('os').homedir() + '/a')\"")).toEqual(['/home/u/a'])
    expect(deleted('python3 -c "shutil.rmtree(os.path.expanduser(\'~/a\'))"')).toEqual(['/home/u/a'])
    expect(deleted("python3 -c \"shutil.rmtree(Path.home() / 'a' / 'b')\"")).toEqual(['/home/u/a/b'])
    expect(deleted('deno eval \'Deno.removeSync(Deno.env.get("HOME") + "/a")\'')).toEqual(['/home/u/a'])
    expect(deleted('ruby -e \'FileUtils.rm_rf(File.expand_path("~/a"))\'')).toEqual(['/home/u/a'])
    expect(deleted('python3 -c "print(Path.home() / \'a\')"')).toEqual([])
    expect(deleted('node -e \'fs.rmSync(process.env.HOME + "/a")\'')).toEqual(['/home/u/a'])
    expect(deleted("node -e 'fs.rmdirSync(os.homedir(), {recursive: true})'")).toEqual(['/home/u'])
    expect(deleted('python3 -c \'shutil.rmtree(os.path.join(Path.home(), "a"))\'')).toEqual(['/home/u/a'])
    expect(deleted('python3 -c \'print(os.environ["HOME"])\'')).toEqual([])
  })

  test('code deletes in the words of its language', () => {
    expect(deleted('julia -e \'rm("a", recursive=true)\'')).toEqual(['/p/a'])
    expect(deleted('groovy -e \'new File("a").deleteDir()\'')).toEqual(['/p/a'])
    expect(deleted("tclsh <<< 'file delete -force a'")).toEqual(['/p/a'])
    expect(deleted('swift - <<< \'FileManager.default.removeItem(atPath: "a")\'')).toEqual(['/p/a'])
    expect(deleted('elixir -e \'File.rm_rf!("a")\'')).toEqual(['/p/a'])
    expect(deleted('emacs --batch --eval \'(delete-directory "a" t)\'')).toEqual(['/p/a'])
    expect(deleted('groovy -e \'new File("a").exists()\'')).toEqual([])
    expect(deleted("tclsh <<< 'file exists a'")).toEqual([])
  })

  test('code finds in a folder', () => {
    expect(deleted('python3 -c \'[os.remove(f) for f in os.listdir("a")]\'')).toEqual(['/p/a/*'])
    expect(deleted('python3 -c \'[print(f) for f in os.listdir("a")]\'')).toEqual([])
  })

  test('an archive is unpacked to', () => {
    const written = (source: string) => effectsOf(parseScript(source), PLACE).writes.map(({ path }) => path)
    expect(written('unzip a.zip -d /x')).toEqual(['/x'])
    expect(written('7z x a.7z -o/x')).toEqual(['/x'])
    expect(written('unrar x a.rar /x/')).toEqual(['/x'])
    expect(written('dpkg-deb -x a.deb /x')).toEqual(['/x'])
    expect(written('python3 -m zipfile -e a.zip /x')).toEqual(['/x'])
    expect(written('7z l a.7z')).toEqual([])
    expect(written('dpkg -l a')).toEqual([])
  })

  test('are read by a client of a store that uploads them', () => {
    const read = (source: string) => effectsOf(parseScript(source), PLACE).reads.map(({ path }) => path)
    expect(read('gcloud storage cp a gs://b/')).toEqual(['/p/a'])
    expect(read('az storage blob upload -f a -c b')).toEqual(['/p/a'])
    expect(read('gcloud storage cp gs://b/a ./a')).toEqual([])
    expect(read('az storage blob list -c b')).toEqual([])
  })

  test('stand behind a tilde with a plus', () => {
    expect(deleted('rm ~+/a')).toEqual(['/p/a'])
  })

  test('are sent by a command for sftp', () => {
    const { reads, network } = effectsOf(parseScript("sftp h.example <<< 'put a'"), PLACE)
    expect(reads.map(({ path }) => path)).toEqual(['/p/a'])
    expect(network).toMatchObject([{ host: 'h.example', sends: true }])
    expect(effectsOf(parseScript("sftp h.example <<< 'get a'"), PLACE).reads).toEqual([])
  })
})

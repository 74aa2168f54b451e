/** Commands that are easy to misread, each with the programs that it starts. */
import { describe, expect, test } from 'bun:test'
import { parseScript } from './script.ts'
import { started } from './testkit.ts'

const TABLES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'words and quotes': {
    'git push --force': ['git push --force'],
    'git  push\t-f': ['git push -f'],
    'git \\\n  push \\\n  -f': ['git push -f'],
    'g\\it push': ['git push'],
    "\"git\" 'push' -'f'": ['git push -f'],
    "$'\\x67it' push": ['git push'],
    "$'\\147\\151\\164' push": ['git push'],
    '/usr/bin/git push': ['/usr/bin/git push'],
    'echo "never git push --force"': ['echo never git push --force'],
    'git commit -m "no git push --force here"': ['git commit -m no git push --force here'],
    'echo a # rm -rf /': ['echo a'],
    "echo 'a; rm -rf /'": ['echo a; rm -rf /'],
    'echo "a" && ls': ['echo a', 'ls'],
    'rm ""': ["rm ''"],
    'echo {a,b}{1..2}': ['echo a1 a2 b1 b2'],
    'rm -{r,f} x': ['rm -r -f x'],
    '{rm,-rf,/}': ['rm -rf /'],
    'x=1; echo {$x,y}z': ['echo ?$xz yz'],
    'rm *.log ~/a': ['rm ?*.log ?~/a'],
    'echo $((2 + 3 * 4))': ['echo 14'],
  },
  variables: {
    'G=git; $G push': ['git push'],
    'G="git push"; $G -f': ['git push -f'],
    'G="git push"; "$G" -f': ['git push -f'],
    'a=r; b=m; $a$b -rf /': ['rm -rf /'],
    'a=rm; a+=dir; $a x': ['rmdir x'],
    '${X:-rm} -rf /': ['?rm -rf /'],
    'X=; ${X:-rm} -rf /': ['rm -rf /'],
    'X=formatter; ${X:1:2} y': ['or y'],
    'X=xrmx; X=${X#x}; ${X%x} y': ['rm y'],
    'X=RM; ${X,,} y': ['rm y'],
    'X=r.m; ${X//./} y': ['rm y'],
    'n=X; X=rm; ${!n} y': ['rm y'],
    'cat${IFS}/etc/passwd': ['cat /etc/passwd'],
    'IFS=_; c=rm_-rf_/; $c': ['rm -rf /'],
    'a=(rm -rf /); "${a[@]}"': ['rm -rf /'],
    'a=(x rm); ${a[1]} ${#a[@]}': ['rm 2'],
    'set -- rm -rf /; "$@"': ['set -- rm -rf /', 'rm -rf /'],
    'export X=rm; $X y': ['export X=rm', 'rm y'],
    'X=ls; export "X=rm"; $X y': ['export X=rm', 'rm y'],
    'a=X=rm; export $a; $X y': ['export X=rm', 'rm y'],
    'declare -a a=(rm x); "${a[@]}"': ['declare -a a=rm x', 'rm x'],
    'X=a; unset X; rm ${X-b} ${X+c}': ['unset X', 'rm b'],
    'X=; rm ${X-b}x ${X+c}': ['rm x c'],
    "mapfile -t a <<< 'rm x'; ${a[0]}": ['mapfile -t a', 'rm x'],
    "mapfile a <<< 'rm x'; ${a[0]}": ['mapfile a', '?rm ?x'],
    'read c <<< "rm x"; $c': ['read c', 'rm x'],
    'printf -v c %s%s r m; $c x': ['printf -v c %s%s r m', 'rm x'],
    '$UNKNOWN x': ['?$UNKNOWN x', 'x'],
    'if a; then X=rm; else X=ls; fi; $X y': ['a', '?$X y', 'y'],
    'X=rm; (X=ls); $X y': ['rm y'],
    'X=rm; X=ls | :; $X y': [':', 'rm y'],
  },
  substitutions: {
    '$(echo rm) -rf /': ['rm -rf /', 'echo rm'],
    '`echo rm` -rf /': ['rm -rf /', 'echo rm'],
    'echo "$(rm x)"': ['echo ?$(rm x)', 'rm x'],
    'echo `a \\`b\\``': ['echo ?`a \\`b\\``', 'a ?`b`', 'b'],
    'cat <(rm x) > >(tee y)': ['cat ?<(rm x)', 'rm x', 'tee y'],
    'cat <<E\n$(rm x)\nE': ['cat', 'rm x'],
    "cat <<'E'\n$(rm x)\nE": ['cat'],
    'echo $((1 + $(rm x)))': ['echo ?$((1 + $(rm x)))', 'rm x'],
    '[[ -n $(rm x) ]]': ['rm x'],
    'x=$(rm y)': ['rm y'],
    'echo ${x:-$(rm y)}': ['echo ?$(rm y)', 'rm y'],
    '$(printf "\\x72\\x6d") x': ['rm x', 'printf \\x72\\x6d'],
  },
  'control flow and functions': {
    'if a; then b; elif c; then d; else e; fi': ['a', 'b', 'c', 'd', 'e'],
    'for f in a b; do rm $f; done': ['rm a', 'rm b'],
    'while a; do b; done': ['a', 'b'],
    'case $x in a) b ;; *) c ;; esac': ['b', 'c'],
    '! a | b &': ['a', 'b'],
    'time -p a': ['a'],
    'f() { rm -rf "$1"; }; f /': ['f /', 'rm -rf /'],
    'function f { "$@"; }; f rm x': ['f rm x', 'rm x'],
    'f() { rm x; }': ['rm x'],
    ':(){ :|:& };:': [':', ':', ':'],
    'f() { local x=rm; }; x=ls; f; $x y': ['f', 'local x=rm', 'ls y'],
    'coproc rm x': ['rm x'],
    '{ a; b; } && (c)': ['a', 'b', 'c'],
  },
  wrappers: {
    'sudo -u root rm x': ['sudo -u root rm x', 'rm x'],
    'sudo -n A=b rm x': ['sudo -n A=b rm x', 'rm x'],
    'sudo -uroot -- rm x': ['sudo -uroot -- rm x', 'rm x'],
    'sudo -l': ['sudo -l'],
    'doas rm x': ['doas rm x', 'rm x'],
    'env -i -- A=b rm x': ['env -i -- A=b rm x', 'rm x'],
    'env -u X A=b rm x': ['env -u X A=b rm x', 'rm x'],
    "env -S 'rm x' y": ['env -S rm x y', 'rm x y'],
    'timeout -k 5 10 rm x': ['timeout -k 5 10 rm x', 'rm x'],
    'timeout 10 -- rm x': ['timeout 10 -- rm x', 'rm x'],
    'nice -n 5 ionice -c 3 rm x': ['nice -n 5 ionice -c 3 rm x', 'ionice -c 3 rm x', 'rm x'],
    'nice -5 rm x': ['nice -5 rm x', 'rm x'],
    '/usr/lib/git-core/git-push -f x': ['/usr/lib/git-core/git-push -f x', 'git push -f x'],
    'nohup setsid stdbuf -oL rm x': [
      'nohup setsid stdbuf -oL rm x',
      'setsid stdbuf -oL rm x',
      'stdbuf -oL rm x',
      'rm x',
    ],
    '/usr/bin/time -f %e rm x': ['/usr/bin/time -f %e rm x', 'rm x'],
    'command rm x': ['command rm x', 'rm x'],
    'command -v rm': ['command -v rm'],
    'builtin cd x': ['builtin cd x', 'cd x'],
    'exec -a n rm x': ['exec -a n rm x', 'rm x'],
    'busybox rm x': ['busybox rm x', 'rm x'],
    'chroot /m rm x': ['chroot /m rm x', 'rm x'],
    'unshare -n rm x': ['unshare -n rm x', 'rm x'],
    'strace -f -o log rm x': ['strace -f -o log rm x', 'rm x'],
    'flock /l rm x': ['flock /l rm x', 'rm x'],
    "flock /l -c 'rm x'": ['flock /l -c rm x', 'rm x'],
    "script -q -c 'rm x' log": ['script -q -c rm x log', 'rm x'],
    "su root -c 'rm x'": ['su root -c rm x', 'rm x'],
    'runuser -u a -- rm x': ['runuser -u a -- rm x', 'rm x'],
    "watch -n 5 'rm x'": ['watch -n 5 rm x', 'rm x'],
    "trap 'rm x' EXIT": ['trap rm x EXIT', 'rm x'],
    'npx -y rimraf x': ['npx -y rimraf x', 'rimraf x'],
    'npx -y rimraf@5 x': ['npx -y rimraf@5 x', 'rimraf x'],
    'npx -c "rm x"': ['npx -c rm x', 'rm x'],
    'npx rimraf -c x': ['npx rimraf -c x', 'x', 'rimraf -c x'], // of npx or of rimraf
    'pnpm dlx @a/b@1.0 x': ['pnpm dlx @a/b@1.0 x', '@a/b x'],
    'pipx run a==1.0 x': ['pipx run a==1.0 x', 'a x'],
    'corepack npm@10 x': ['corepack npm@10 x', 'npm x'],
    'corepack install x': ['corepack install x'],
    'mise exec a@1 -- rm x': ['mise exec a@1 -- rm x', 'rm x'],
    'uvx --from a b c': ['uvx --from a b c', 'b c'],
    'bunx rimraf x': ['bunx rimraf x', 'rimraf x'],
    'uv run rm x': ['uv run rm x', 'rm x'],
    'podman unshare rm x': ['podman unshare rm x', 'rm x'],
    'buildah unshare -m a rm x': ['buildah unshare -m a rm x', 'rm x'],
    'flatpak-spawn --host rm x': ['flatpak-spawn --host rm x', 'rm x'],
    'flatpak run --command=rm a -f x': ['flatpak run --command=rm a -f x', 'rm -f x'],
    'host-spawn -cwd /a rm x': ['host-spawn -cwd /a rm x', 'rm x'],
    'nix run p -c rm x': ['nix run p -c rm x', 'rm x'],
    "snap run --shell a -c 'rm x'": ['snap run --shell a -c rm x', 'rm x'],
    'ts -L a rm x': ['ts -L a rm x', 'rm x'],
    'nq rm x': ['nq rm x', 'rm x'],
    'lockf -t 5 l rm x': ['lockf -t 5 l rm x', 'rm x'],
    'envdir d rm x': ['envdir d rm x', 'rm x'],
    'pkgx rm@1 x': ['pkgx rm@1 x', 'rm x'],
    'run0 -u a rm x': ['run0 -u a rm x', 'rm x'],
    "newgrp a <<< 'rm x'": ['newgrp a', 'rm x'],
    'mosh h -- rm x': ['mosh h -- rm x', 'rm x'],
    "autossh -M 0 h 'rm x'": ['autossh -M 0 h rm x', 'rm x'],
    'dbclient -p 22 h rm x': ['dbclient -p 22 h rm x', 'rm x'],
    'adb -s a shell rm x': ['adb -s a shell rm x', 'rm x'],
    "pssh -H h 'rm x'": ['pssh -H h rm x', 'rm x'],
    'clush -w h rm x': ['clush -w h rm x', 'rm x'],
    'crictl exec -it c rm x': ['crictl exec -it c rm x', 'rm x'],
    "heroku run -a b 'rm x'": ['heroku run -a b rm x', 'rm x'],
    'kubectl debug n -- rm x': ['kubectl debug n -- rm x', 'rm x'],
    "et h -c 'rm x'": ['et h -c rm x', 'rm x'],
    'systemd-nspawn -D /m rm x': ['systemd-nspawn -D /m rm x', 'rm x'],
    'xargs rm -f': ['xargs rm -f', 'rm -f ?{}'],
    'echo a b | xargs rm -f': ['echo a b', 'xargs rm -f', 'rm -f a b'],
    'echo a | xargs -I% rm %/x': ['echo a', 'xargs -I% rm %/x', 'rm a/x'],
    "find a b -name '*.c' -exec rm {} +": ['find a b -name *.c -exec rm {} +', 'rm ?a/**/*.c ?b/**/*.c'],
    'find . -ok rm {} \\; -execdir ls \\;': ['find . -ok rm {} ; -execdir ls ;', 'rm ?./**/*', 'ls'],
    'find / -name x | xargs rm': ['find / -name x', 'xargs rm', 'rm ?/**/x'],
    'parallel rm ::: a b': ['parallel rm ::: a b', 'rm a', 'rm b'],
    "ssh -p 22 u@h 'rm x; ls'": ['ssh -p 22 u@h rm x; ls', 'rm x', 'ls'],
    'docker exec -it c rm x': ['docker exec -it c rm x', 'rm x'],
    'docker run --rm -v /a:/b img sh -c "rm x"': [
      'docker run --rm -v /a:/b img sh -c rm x',
      'sh -c rm x',
      'rm x',
    ],
    'docker compose -f a.yml exec web rm x': ['docker compose -f a.yml exec web rm x', 'rm x'],
    'kubectl -n a exec p -- rm x': ['kubectl -n a exec p -- rm x', 'rm x'],
    "tmux new-session -d -s a 'rm x'": ['tmux new-session -d -s a rm x', 'rm x'],
    "tmux send-keys -t a 'rm x' Enter": ['tmux send-keys -t a rm x Enter', 'rm x'],
    'screen -dmS a rm x': ['screen -dmS a rm x', 'rm x'],
    "git -c alias.x='!rm y' x": ['git -c alias.x=!rm y x', 'rm y'],
    'git -c alias.x="push -f" x': ['git -c alias.x=push -f x', 'git push -f'],
    'git rebase -x "rm y" main': ['git rebase -x rm y main', 'rm y'],
    'git bisect run rm y': ['git bisect run rm y', 'rm y'],
    '$SUDO rm x': ['?$SUDO rm x', 'rm x'],
    'echo "rm x" | sudo -s': ['echo rm x', 'sudo -s', 'rm x'],
    'su - <<< "rm x"': ['su -', 'rm x'],
    "alias g='git push'; g -f 'a b'": ['alias g=git push', 'g -f a b', 'git push -f a b'],
    "alias ls='ls -a'; ls": ['alias ls=ls -a', 'ls', 'ls -a'],
    'git -c alias.x=\'!f() { rm "$1"; }; f\' x "a b"': [
      'git -c alias.x=!f() { rm "$1"; }; f x a b',
      'f a b',
      'rm a b',
    ],
  },
  'text as code': {
    "bash -c 'rm x'": ['bash -c rm x', 'rm x'],
    "sh -c 'rm $0' x": ['sh -c rm $0 x', 'rm x'],
    "sh -c 'rm $0'": ['sh -c rm $0', 'rm ?$0'],
    "sh -ec 'rm $1' n y": ['sh -ec rm $1 n y', 'rm y'],
    "zsh -o errexit -c 'rm x'": ['zsh -o errexit -c rm x', 'rm x'],
    'bash script.sh': ['bash script.sh'],
    "eval 'rm' x": ['eval rm x', 'rm x'],
    "X=rm eval '$X y'": ['eval $X y', 'rm y'],
    "X=rm bash -c '$X y'": ['bash -c $X y', 'rm y'],
    'X="rm y"; eval "$X"': ['eval rm y', 'rm y'],
    'echo "rm x" | sh': ['echo rm x', 'sh', 'rm x'],
    'echo "rm x" | sudo bash -s': ['echo rm x', 'sudo bash -s', 'bash -s', 'rm x'],
    'printf "rm %s\\n" a b | sh': ['printf rm %s\\n a b', 'sh', 'rm a', 'rm b'],
    'bash <<< "rm x"': ['bash', 'rm x'],
    'bash <<E\nrm $X\nE': ['bash', 'rm ?$X'],
    'cat <<E | sh\nrm x\nE': ['cat', 'sh', 'rm x'],
    'bash <(echo rm x)': ['bash ?<(echo rm x)', 'echo rm x', 'rm x'],
    'source <(echo rm x)': ['source ?<(echo rm x)', 'echo rm x', 'rm x'],
    '. /dev/stdin <<< "rm x"': ['. /dev/stdin', 'rm x'],
    'echo cm0geA== | base64 -d | sh': ['echo cm0geA==', 'base64 -d', 'sh', 'rm x'],
    'echo "x mr" | rev | sh': ['echo x mr', 'rev', 'sh', 'rm x'],
    'python3 -c \'import os; os.system("rm x")\'': ['python3 -c import os; os.system("rm x")', 'rm x'],
    'python - <<E\nimport subprocess\nsubprocess.run(["rm", "x"])\nE': ['python -', 'rm x'],
    'node -e \'require("child_process").execSync("rm x")\'': [
      'node -e require("child_process").execSync("rm x")',
      'rm x',
    ],
    'perl -e \'system("rm", "x")\'': ['perl -e system("rm", "x")', 'rm x'],
    "perl -ne 'print `rm x`'": ['perl -ne print `rm x`', 'rm x'],
    'ruby -e \'system "rm x"\'': ['ruby -e system "rm x"', 'rm x'],
    'awk \'BEGIN { system("rm x") }\'': ['awk BEGIN { system("rm x") }', 'rm x'],
    'php -r \'shell_exec("rm x");\'': ['php -r shell_exec("rm x");', 'rm x'],
    'echo "rm x" | at now': ['echo rm x', 'at now', 'rm x'],
    'echo "0 3 * * 1-5 rm x" | crontab -': ['echo 0 3 * * 1-5 rm x', 'crontab -', 'rm x'],
    'echo "@reboot rm x" | crontab -': ['echo @reboot rm x', 'crontab -', 'rm x'],
  },
}

for (const [title, table] of Object.entries(TABLES))
  describe(title, () => {
    for (const [source, expected] of Object.entries(table))
      test(source.replace(/\n/g, '⏎'), () => {
        expect(parseScript(source).why).toBeUndefined()
        expect(started(source)).toEqual([...expected])
      })
  })

describe('what a command is told about itself', () => {
  const lastOf = (source: string) => parseScript(source).commands.at(-1)

  test('its folder', () => {
    const folder = (source: string) => lastOf(source)?.cwd
    expect(folder('ls')).toBeUndefined()
    expect(folder('cd a && cd b; ls')).toEqual({ text: 'a/b', known: true })
    expect(folder('(cd a); ls')).toBeUndefined()
    expect(folder('x && cd a; ls')).toEqual({ text: 'a', known: false })
    expect(folder('cd a && git -C b -C c push')).toEqual({ text: 'a/b/c', known: true })
    expect(folder('env -C a ls')).toEqual({ text: 'a', known: true })
    expect(folder('builtin cd a; ls')).toEqual({ text: 'a', known: true })
    expect(folder('sudo cd a; ls')).toBeUndefined()
    expect(folder('make -C a')).toEqual({ text: 'a', known: true })
    expect(folder('cd; ls')).toEqual({ text: '~', known: false })
    expect(folder('cd a; ssh h ls')).toBeUndefined()
    expect(folder('while a; do cd b; done; ls')?.known).toBe(false)
  })

  test('what it reads, and from whom', () => {
    expect(lastOf('echo a | cat')).toMatchObject({ stdin: { text: 'a\n', known: true }, pipedFrom: 0 })
    expect(lastOf('curl x | sh')).toMatchObject({ program: 'sh', pipedFrom: 0 })
    expect(lastOf('curl x | sh')?.stdin).toBeUndefined()
    expect(lastOf('curl x | sudo bash')).toMatchObject({ program: 'bash', pipedFrom: 0, parent: 1 })
    expect(lastOf('cat <<-E\n\ta\n\tE')?.stdin).toEqual({ text: 'a\n', known: true })
    expect(lastOf('echo a | cat < b')?.stdin).toBeUndefined()
  })

  test('where it came from', () => {
    expect(lastOf('ssh h \'bash -c "rm x"\'')).toMatchObject({
      program: 'rm',
      via: 'inline',
      parent: 1,
      isRemote: true,
    })
    expect(lastOf('sudo rm x')).toMatchObject({ via: 'wrapper', parent: 0, isRemote: false })
    expect(lastOf('echo $(rm x)')).toMatchObject({ via: 'substitution', parent: 0 })
    expect(lastOf('f() { rm x; }; f')).toMatchObject({ via: 'function', parent: 0 })
  })

  test('its assignments and redirects', () => {
    expect(lastOf('A=b C="d e" x > f 2>> g < h')).toMatchObject({
      assignments: [
        { name: 'A', value: { text: 'b', known: true } },
        { name: 'C', value: { text: 'd e', known: true } },
      ],
      redirects: [
        { operator: '>', target: { text: 'f', known: true } },
        { operator: '>>', fd: 2, target: { text: 'g', known: true } },
        { operator: '<', target: { text: 'h', known: true } },
      ],
    })
    expect(parseScript('{ a; b; } > f').commands[0]).toMatchObject({
      argv: [],
      redirects: [{ operator: '>' }],
    })
  })

  test('the code it was given', () => {
    expect(lastOf("python3.12 -c 'print(1)'")?.code).toEqual({
      language: 'python',
      text: { text: 'print(1)', known: true },
    })
    expect(lastOf('node <<E\n1\nE')?.code?.language).toBe('javascript')
    expect(lastOf('node a.js')?.code).toBeUndefined()
  })

  test('its place in the outermost source', () => {
    const source = "a; sudo bash -c 'rm x'"
    for (const { program, span } of parseScript(source).commands)
      expect(source.slice(...span)).toBe(program === 'a' ? 'a' : "sudo bash -c 'rm x'")
    expect(parseScript('echo `x \\`rm y\\``').commands.map(({ span }) => span)).toEqual([
      [0, 17],
      [5, 17],
      [5, 17],
    ])
  })

  test('its program, unless nobody knows it', () => {
    expect(lastOf('/bin/rm x')?.program).toBe('rm')
    expect(lastOf('"$HOME/bin/tool" x')?.program).toBe('tool')
    expect(lastOf('$X')?.program).toBe('')
    expect(lastOf('/bin/r?')?.program).toBe('')
    expect(lastOf('$(curl x)')?.program).toBe('curl')
  })
})

test('what loops and functions multiply ends after few commands', () => {
  const loops = `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(12)}rm x; ${'done; '.repeat(12)}`
  const twice = Array.from({ length: 60 }, (_, i) => `f${i + 1}() { f${i}; f${i}; }; `).join('')
  for (const source of [loops, `f0() { rm x; }; ${twice}f60`]) {
    const { commands, isTooMuch } = parseScript(source)
    expect(isTooMuch).toBe(true)
    expect(commands.some(({ program }) => program === 'rm')).toBe(true)
    expect(commands.length).toBeLessThan(300)
  }
  expect(
    parseScript('for i in {1..9}; do for j in {1..9}; do for k in {1..9}; do a; done; done; done').understood,
  ).toBe(true)
})

describe('a script is not understood', () => {
  const why = (source: string) => parseScript(source).why

  test.each([
    ['echo "a', 'bash could not read it: unterminated double quote'],
    ['if a; then b', "bash could not read it: expected 'fi' to close 'if'"],
    ["bash -c 'echo \"a'", 'bash could not read it: unterminated double quote'],
    [`${'sudo '.repeat(9)}rm x`, 'commands are wrapped in each other more than 8 times'],
    ['a '.repeat(40_000), 'it is longer than 64 KB'],
    ['$('.repeat(10_000), 'it has too many brackets for its length'],
    [`${'for i in {1..60}; do '.repeat(4)}a; ${'done; '.repeat(4)}`, 'it has more steps than are followed'],
    [`for i in {1..60}; do ${'a '.repeat(5_000)}; done`, 'it has more steps than are followed'],
    [`echo ${'a'.repeat(49_000)}${'|tr -d z'.repeat(30)}|sh`, 'it has more steps than are followed'],
  ])('%.40s', (source, expected) => {
    expect(why(source)).toBe(expected)
  })

  test('and what was read is told nevertheless', () => {
    expect(started('rm -rf /; echo "a')).toContain('rm -rf /')
    expect(started(`rm -rf /; ${'sudo '.repeat(9)}a`)[0]).toBe('rm -rf /')
  })

  test('a word that is not known is no reason', () => {
    expect(why('$X "$Y" $(z)')).toBeUndefined()
    expect(why(`${'sudo '.repeat(8)}rm x`)).toBeUndefined()
  })

  test('a long file in a heredoc is no reason', () => {
    const source = `cat > a.json <<'EOF'\n${'{"a": [{"b": {}}]}\n'.repeat(2_000)}EOF\nrm x`
    expect(started(source)).toEqual(['cat', 'rm x'])
    expect(why(source)).toBeUndefined()
  })
})

test('a word that is not known may be several, of which shift takes one', () => {
  const last = (source: string) => parseScript(source).commands.at(-1)?.argv.at(-1)
  expect(last('f() { shift; c "$*"; }; f $(x) b')).toEqual({ text: 'b', known: false })
  expect(last('f() { shift; c "$*"; }; f $(x)')).toMatchObject({ known: false })
  expect(last('f() { shift; c "$*"; }; f a b')).toEqual({ text: 'b', known: true })
})

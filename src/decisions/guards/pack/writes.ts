/** Files that are written where they should not be. */
import type { Call } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { IN_WORDS, locationOf, maybeOutside, shown, type Where } from '../paths.ts'
import { startsProgram } from './git.ts'

export const ACCOUNTS =
  /^\/(?:private\/)?etc\/(?:passwd|shadow|gshadow|group|sudoers(?:\.d\/.*)?|pam\.d\/.*|ld\.so\.preload|crypttab|fstab|security\/.*)-?$|^\/boot(?:\/|$)|^\/(?:usr\/)?s?bin\/[^/]+$|^\/proc\/sysrq-trigger$|^\/sys\/(?:firmware|power|kernel)\//

export function written(
  facts: Facts,
  test: (path: string, where: Where, call: Call | undefined) => boolean,
): string | undefined {
  for (const effect of maybeOutside(facts.effects.writes, facts)) {
    const where = locationOf(effect, facts.place)
    if (test(effect.path, where, facts.calls[effect.command])) return `${shown(effect)} is ${IN_WORDS[where]}`
  }
  return undefined
}

/** Read by shells, logins and desktops at every start. */
const STARTUP =
  /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xinitrc|xprofile|xsessionrc|pam_environment|gitconfig|login|cshrc|tcshrc|kshrc)$|\/\.config\/(?:fish\/.*|autostart\/.*|systemd\/user\/.*|git\/config)$|\/\.ssh\/(?:authorized_keys2?|config|rc|environment|known_hosts)$|\/Library\/Launch(?:Agents|Daemons)\/|^\/etc\/(?:cron[^/]*|profile|profile\.d|rc\.local|init\.d|systemd|bash\.bashrc|zsh|environment|xdg\/autostart|anacrontab|rc\d?\.d)(?:\/|$)|^\/var\/spool\/cron\/|^\/(?:usr\/)?lib\/systemd\/system\/|\/\.git\/hooks\/(?!.*\.sample$)/

export const WRITE_GUARDS: readonly Guard[] = [
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
      const effect = facts.effects.writes.find(
        ({ path, text, command }) =>
          (STARTUP.test(path) || STARTUP.test(text)) &&
          !isTightened(facts.calls[command]) &&
          !isGitSetting(facts.calls[command]),
      )
      return effect && `${shown(effect)} is run at a start, a login or a commit`
    },
    examples: {
      match: [
        'echo "alias ls=x" >> ~/.bashrc',
        'git log -m --output=/home/user/.bashrc',
        'gh release download -O ~/.bashrc',
        'sort --out ~/.bashrc x',
        'cat key.pub >> ~/.ssh/authorized_keys',
        'cp x /etc/cron.d/x',
        'tee ~/.config/autostart/x.desktop < x',
        'echo x > .git/hooks/pre-commit',
        'git config --file ~/.gitconfig core.editor e',
        "sed 'w /home/user/.bashrc' x",
      ],
      noMatch: [
        'chmod 600 ~/.ssh/authorized_keys',
        'chmod go-rwx ~/.ssh/config',
        'cat ~/.bashrc',
        'git diff ~/.bashrc dotfiles/bashrc',
        'grep alias ~/.zshrc',
        'ls .git/hooks',
        'cp ~/.bashrc ./bashrc.example',
        'git config --global user.name x',
      ],
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
        (path, where, call) =>
          (where === 'outside' || where === 'home') &&
          !STARTUP.test(path) &&
          !isCache(path) &&
          !isTightened(call) &&
          !isGitSetting(call),
      ),
    examples: {
      match: [
        'echo hi > ~/notes.txt',
        'cp build.tar /opt/releases/',
        'tee ../other/file < x',
        'mv dist ~/www',
      ],
      noMatch: [
        'chmod 700 ~/.ssh',
        'chmod 400 ~/.ssh/work',
        'echo hi > notes.txt',
        'echo hi > /tmp/x',
        'cp ../other/file .',
        'mkdir -p src/new',
        'echo hi > "$OUT"',
      ],
    },
  },
]

/** `git config --global user.name x`: of its settings only some start programs, and git-settings knows which. */
function isGitSetting(call: Call | undefined): boolean {
  return call?.program === 'git' && call.words.includes('config') && !startsProgram(call)
}

/** `chmod 600 ~/.ssh/config`: nobody gets more rights. */
function isTightened(call: Call | undefined): boolean {
  return (
    call?.program === 'chmod' &&
    call.words.some((word) => /^0?[4-7]00$|^go-[rwx]+$|^go=$|^[ug]?o-[rwx]+$/.test(word))
  )
}

function isCache(path: string): boolean {
  return /\/\.(?:cache|npm|cargo\/registry|gradle|m2|local\/state|pnpm-store|yarn|bun)\//.test(path)
}

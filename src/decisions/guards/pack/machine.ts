/** The machine itself: services, accounts, schedules, kernel, packages. */
import { asksVersion, has, isDryRun, isHelp, listedBy, names, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'

const PACKAGE_VALUED = options(
  '-n --name -c -t -o -a -x -R --option --config-file --target-release --default-release --host-architecture --setopt --installroot --releasever --enablerepo --disablerepo --repo --exclude --root --cachedir --prefix --cwd -C',
)

export const MACHINE_GUARDS: readonly Guard[] = [
  {
    id: 'services',
    about: 'Stopping or disabling services of the system',
    standard: 'ask',
    strict: 'ask',
    instead: 'Look at it first: `systemctl status nginx`.',
    programs: names('systemctl service launchctl rc-service chkconfig update-rc.d sc initctl'),
    call: (call) => {
      if (isHelp(call) || has(call, '--user')) return undefined
      const [first = '', second = ''] = operands(
        call,
        options('-H --host -M --machine -t --type -n -p --root'),
      )
      if (call.program === 'service' || call.program === 'rc-service')
        return /^(?:stop|restart|disable)$/.test(second) ? `${first} ${second}` : undefined
      return /^(?:stop|disable|mask|kill|restart|unload|load|bootstrap|remove|bootout|delete|isolate|daemon-reexec|set-default|edit|revert|enable|start|link)$/.test(
        first,
      ) &&
        (!/^(?:enable|start|restart)$/.test(first) || call.program === 'systemctl')
        ? `${call.program} ${first} ${second}`.trim()
        : undefined
    },
    examples: {
      match: [
        'systemctl stop sshd',
        'sudo systemctl disable --now nginx',
        'service mysql stop',
        'systemctl mask x',
        'launchctl unload x.plist',
      ],
      noMatch: [
        'systemctl status nginx',
        'systemctl --user restart x',
        'service nginx status',
        'systemctl list-units',
        'systemctl is-active x',
        'launchctl list',
      ],
    },
  },
  {
    id: 'firewall',
    about: 'Opening the firewall, switching protections of the system off, changing routes',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at the rules first: `iptables -L -n`.',
    programs: names(`
      iptables ip6tables nft ufw firewall-cmd pfctl setenforce spctl csrutil aa-disable
      apparmor_parser auditctl ip route ifconfig nmcli iptables-restore netsh aa-teardown
      fail2ban-client tc
    `),
    call: (call) => {
      const { program, words } = call
      if (isHelp(call)) return undefined
      const [first = '', second = ''] = operands(call)
      const found = (yes: boolean) => (yes ? `${program} ${words.join(' ')}`.slice(0, 60) : undefined)
      if (/^ip6?tables$/.test(program))
        return found(
          words.some((word) =>
            /^-(?:F|X|Z|P|D|I|A|R|N)$|^--(?:flush|policy|delete|insert|append|replace)/.test(word),
          ),
        )
      if (program === 'nft') return found(/^(?:flush|delete|add|insert|destroy|reset)$/.test(first))
      if (program === 'ufw')
        return found(
          /^(?:disable|reset|delete|allow|enable|deny|default)$/.test(first) ||
            first === '--force' ||
            (first === 'logging' && second === 'off'),
        )
      if (program === 'firewall-cmd')
        return found(words.some((word) => /^--(?:add|remove|panic|set|permanent|complete-reload)/.test(word)))
      if (program === 'pfctl') return found(has(call, '-F', '-d'))
      if (program === 'setenforce') return found(first === '0' || /permissive/i.test(first))
      if (program === 'spctl') return found(words.some((word) => /disable/.test(word)))
      if (program === 'csrutil') return found(first === 'disable')
      if (program === 'auditctl') return found(has(call, '-D', '-e'))
      if (program === 'ip')
        return found(
          /^(?:link|l|route|r|addr|a|address|rule|netns)$/.test(first) &&
            /^(?:set|del|delete|flush|add|replace|change)$/.test(second),
        )
      if (program === 'ifconfig') return found(words.includes('down'))
      if (program === 'nmcli')
        return found(
          /^(?:networking|radio|connection|device)$/.test(first) &&
            /^(?:off|delete|down|disconnect|modify)$/.test(second || ''),
        )
      if (program === 'route') return found(/^(?:del|add|flush|delete)$/.test(first))
      if (program === 'netsh')
        return found(
          words.includes('set') || words.includes('delete') || words.includes('add') || words.includes('off'),
        )
      if (program === 'fail2ban-client') return found(/^(?:stop|unban)$/.test(first))
      if (program === 'tc') return found(/^(?:add|del|replace)$/.test(second))
      return found(true)
    },
    examples: {
      match: [
        'iptables -F',
        'sudo ufw disable',
        'setenforce 0',
        'nft flush ruleset',
        'ip link set eth0 down',
        'iptables -P INPUT ACCEPT',
        'firewall-cmd --add-port=22/tcp',
      ],
      noMatch: [
        'iptables -L -n',
        'ufw status',
        'ip addr',
        'ip route show',
        'nft list ruleset',
        'ifconfig',
        'ip a show eth0',
      ],
    },
  },
  {
    id: 'accounts',
    about: 'Creating, changing or deleting users, groups and passwords',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at it: `id`, `getent passwd`. Let the owner change accounts.',
    programs: names(`
      useradd adduser userdel deluser usermod passwd chpasswd groupadd groupdel groupmod gpasswd
      visudo vipw chsh chage newusers dscl sysadminctl net su delgroup addgroup
    `),
    call: (call) => {
      const { program, words } = call
      if (isHelp(call) || asksVersion(call)) return undefined
      if (program === 'passwd') return has(call, '-S', '--status') ? undefined : 'passwd'
      if (program === 'visudo') return has(call, '-c', '--check') ? undefined : 'visudo'
      if (program === 'chage') return has(call, '-l', '--list') ? undefined : 'chage'
      if (program === 'dscl')
        return words.some((word) => /^-?(?:create|delete|passwd|append)$/.test(word)) ? 'dscl' : undefined
      if (program === 'net')
        return /^(?:user|localgroup)$/i.test(words[0] ?? '') &&
          words.some((word) => /^\/(?:add|delete)$/i.test(word))
          ? 'net user'
          : undefined
      if (program === 'su') return undefined
      return program
    },
    examples: {
      match: [
        'useradd -m eve',
        'sudo userdel -r bob',
        'echo root:x | chpasswd',
        'usermod -aG sudo eve',
        'passwd root',
        'visudo',
      ],
      noMatch: ['id', 'getent passwd', 'passwd -S me', 'visudo -c', 'useradd --help', 'whoami'],
    },
  },
  {
    id: 'schedule',
    about: 'Commands that run later by themselves: cron, at, timers',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at what is there: `crontab -l`. Show the owner the line to add.',
    programs: ['crontab', 'at', 'batch', 'systemd-run', 'systemctl', 'schtasks', 'atrm'],
    call: (call) => {
      const { program } = call
      if (isHelp(call)) return undefined
      if (program === 'crontab')
        return has(call, '-l') ? undefined : has(call, '-r') ? 'crontab -r deletes every entry' : 'crontab'
      if (program === 'at')
        return has(call, '-l', '-V', '-c') ? undefined : call.words.length > 0 ? 'at' : undefined
      if (program === 'systemd-run')
        return call.words.some((word) => /^--on-|^--timer/.test(word))
          ? 'systemd-run with a timer'
          : undefined
      if (program === 'systemctl') {
        const [verb = '', ...units] = operands(call)
        return /^(?:enable|reenable|start|link)$/.test(verb) && units.some((unit) => unit.endsWith('.timer'))
          ? `systemctl ${verb} of a timer`
          : undefined
      }
      if (program === 'schtasks')
        return call.words.some((word) => /^\/(?:create|delete|change)$/i.test(word)) ? 'schtasks' : undefined
      return program
    },
    examples: {
      match: [
        'crontab -r',
        'crontab new.txt',
        'systemctl --user enable --now sync.timer',
        'echo "* * * * * x" | crontab -',
        'echo x | at now + 1 hour',
        '(crontab -l; echo "* * * * * x") | crontab -',
      ],
      noMatch: [
        'crontab -l',
        'at -l',
        'atq',
        'cat /etc/crontab',
        'systemctl --user list-timers',
        'systemctl --user status sync.timer',
      ],
    },
  },
  {
    id: 'kernel',
    about: 'Kernel modules and settings, mounts, swaps, clocks, tracing of other processes',
    standard: 'ask',
    strict: 'deny',
    instead: 'Read the value: `sysctl kernel.hostname`.',
    programs: names(`
      insmod rmmod modprobe sysctl mount umount swapoff swapon hwclock timedatectl date hostnamectl
      gdb strace dkms update-grub grub-mkconfig mkinitcpio dracut chroot pivot_root nsenter unshare
      ptrace depmod update-initramfs losetup nvram setpci ldconfig
    `),
    call: (call) => {
      const { program, words } = call
      if (isHelp(call) || asksVersion(call, '-V')) return undefined
      const found = (yes: boolean) => (yes ? `${program} ${words.join(' ')}`.slice(0, 60).trim() : undefined)
      switch (program) {
        case 'sysctl':
          return found(
            has(call, '-w', '--write', '--system') ||
              words.some((word) => /^[\w.]+=/.test(word)) ||
              words.includes('-p'),
          )
        case 'modprobe':
          return found(!isDryRun(call, '-n') && !has(call, '-D', '--show-depends', '-c', '--showconfig'))
        case 'mount':
          return found(
            operands(call, options('-t -o -L -U')).length > 1 ||
              has(call, '-a', '--all') ||
              (words.includes('-o') && words.some((word) => /remount|bind/.test(word))) ||
              words.includes('--bind'),
          )
        case 'date':
          return found(words.includes('-s') || words.some((word) => /^--set/.test(word)))
        case 'timedatectl':
        case 'hostnamectl':
          return found(/^set-|^hostname$/.test(words[0] ?? '') && words.length > 1)
        case 'hwclock':
          return found(has(call, '-w', '-s', '--systohc', '--hctosys', '--set'))
        case 'gdb':
        case 'strace':
          return found(has(call, '-p', '--pid'))
        case 'unshare':
          return undefined
        case 'ldconfig':
          return undefined
        case 'losetup':
          return found(has(call, '-d', '-D', '--detach'))
        default:
          return found(words.length > 0 || /^update-|^depmod$/.test(program))
      }
    },
    examples: {
      match: [
        'sudo insmod evil.ko',
        'sysctl -w kernel.randomize_va_space=0',
        'mount -o remount,rw /',
        'umount /mnt',
        'rmmod x',
        'nsenter -t 1 -m sh',
        'chroot /mnt sh',
        'date -s "2020-01-01"',
      ],
      noMatch: [
        'sysctl kernel.hostname',
        'sysctl -a',
        'mount',
        'date',
        'date +%s',
        'lsmod',
        'timedatectl',
        'modprobe --help',
        'mount -l',
      ],
    },
  },
  {
    id: 'packages-system',
    about:
      'Removing packages of the system, adding package sources, installing packages of a language as root',
    standard: 'ask',
    strict: 'ask',
    instead: 'See what would go: `apt-get remove --simulate nginx`.',
    programs: names(`
      npm pnpm yarn gem
      apt apt-get aptitude dpkg rpm dnf yum pacman yay zypper apk brew snap flatpak port emerge
      nix-env nix-collect-garbage add-apt-repository apt-key choco winget pip pip3 xbps-remove conda
    `),
    call: (call, { calls }) => {
      const { program } = call
      if (isHelp(call) || isDryRun(call) || (has(call, '-s', '--just-print') && /^apt/.test(program)))
        return undefined
      const verb = operands(call, PACKAGE_VALUED)[0] ?? ''
      const found = (yes: boolean) => (yes ? `${program} ${verb}`.trim() : undefined)
      if (program === 'pacman' || program === 'yay')
        return found(call.words.some((word) => /^-R/.test(word)) || has(call, '--remove'))
      if (program === 'dpkg') return found(has(call, '-r', '-P', '--remove', '--purge', '--force-all'))
      if (program === 'rpm') return found(has(call, '-e', '--erase', '--nodeps'))
      if (program === 'emerge') return found(has(call, '-C', '--unmerge', '-c', '--depclean'))
      if (program === 'nix-collect-garbage') return found(has(call, '-d', '--delete-old'))
      if (/^(?:add-apt-repository|apt-key|xbps-remove)$/.test(program))
        return found(call.words.length > 0 && verb !== 'list')
      const isList =
        listedBy(calls, call) !== undefined || call.words.some((word) => /^<\(|\$\(|`/.test(word))
      if (/^(?:un(?:install)?|remove|rm)$/.test(verb) && isList) return `${program} ${verb} of a list`
      if (/^(?:pip3?|npm|pnpm|yarn|gem)$/.test(program)) {
        const isRoot = /^(?:sudo|doas)$/.test(calls[call.command.parent ?? -1]?.program ?? '')
        if (isRoot && /^(?:install|i|add|global)$/.test(verb))
          return `${program} ${verb} as root runs code of packages`
        return found(has(call, '--break-system-packages'))
      }
      if (program === 'conda')
        return found((verb === 'env' && call.words.includes('remove')) || verb === 'remove')
      return found(
        /^(?:remove|purge|autoremove|uninstall|erase|del|rm|history|full-upgrade|dist-upgrade|downgrade)$/.test(
          verb,
        ) && verb !== 'history',
      )
    },
    examples: {
      match: [
        'apt-get purge -y python3',
        'apt-get -y purge python3',
        'apt-get -o Dpkg::Use-Pty=0 -qq remove nginx',
        'dnf -y --setopt=a=b remove nginx',
        'sudo apt remove nginx',
        'pacman -Rns x',
        'dpkg --purge x',
        'brew uninstall git',
        'yum erase x',
        'rpm -e --nodeps glibc',
        'pip freeze | xargs pip uninstall -y',
        'sudo npm install -g left-pad',
        'sudo pip install x',
      ],
      noMatch: [
        'apt-get install jq',
        'apt-get -y -o A=remove install jq',
        'apt-get remove --simulate nginx',
        'apt list',
        'brew list',
        'pacman -Q',
        'rpm -qa',
        'pip install x',
        'dpkg -l',
        'pip uninstall -y x',
        'npm uninstall left-pad',
        'sudo apt-get install jq',
      ],
    },
  },
  {
    id: 'tracks',
    about: 'Deleting histories and logs that show what was done',
    standard: 'ask',
    strict: 'deny',
    instead: 'Leave logs as they are. To read the end of one: `tail -n 50 app.log`.',
    programs: ['history', 'journalctl', 'unset', 'logrotate', 'wevtutil', 'auditctl', 'export', 'set', 'ln'],
    call: (call) => {
      const { program, words } = call
      if (program === 'history') return has(call, '-c', '-d', '-w') ? 'history -c' : undefined
      if (program === 'journalctl')
        return words.some((word) => /^--(?:vacuum|rotate|flush)/.test(word))
          ? 'journalctl --vacuum'
          : undefined
      if (program === 'unset') return words.includes('HISTFILE') ? 'unset HISTFILE' : undefined
      if (program === 'export')
        return words.some((word) => /^HIST(?:FILE=\/dev\/null|SIZE=0|FILESIZE=0|FILE=$)/.test(word))
          ? 'no history is kept'
          : undefined
      if (program === 'set')
        return words.includes('+o') && words.includes('history') ? 'no history is kept' : undefined
      if (program === 'ln')
        return words.includes('/dev/null') && words.some((word) => /_history$/.test(word))
          ? 'no history is kept'
          : undefined
      return program === 'wevtutil' && words[0] === 'cl' ? 'wevtutil cl' : undefined
    },
    finds: ({ effects }) => {
      const gone = [...effects.writes, ...effects.deletes].find(({ path }) =>
        /\/\.(?:bash|zsh|sh|fish|python|mysql|psql)_history$|\/fish_history$|^\/var\/log\//.test(path),
      )
      return gone && `"${gone.text}" shows what was done`
    },
    examples: {
      match: [
        'history -c',
        'rm ~/.bash_history',
        '> /var/log/syslog',
        'unset HISTFILE',
        'journalctl --vacuum-time=1s',
        'export HISTFILE=/dev/null',
        'truncate -s 0 /var/log/auth.log',
      ],
      noMatch: [
        'history',
        'tail -n 50 app.log',
        'journalctl -u nginx',
        'cat /var/log/syslog',
        'rm app.log',
        'history | tail',
      ],
    },
  },
]

/** The machine itself: services, accounts, schedules, kernel, packages, containers. */
import { type Call, has, isDryRun, isHelp, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'

const DOCKER_VALUED = options(
  '-H --host -c --context -l --log-level --config -f --file -p --project-name --profile --env-file --project-directory',
)
const CONTAINERS = [
  'docker',
  'podman',
  'docker-compose',
  'podman-compose',
  'nerdctl',
  'finch',
  'crictl',
  'ctr',
  'buildah',
]

export const MACHINE_GUARDS: readonly Guard[] = [
  {
    id: 'services',
    about: 'Stopping or disabling services of the system',
    standard: 'ask',
    strict: 'ask',
    instead: 'Look at it first: `systemctl status nginx`.',
    programs: [
      'systemctl',
      'service',
      'launchctl',
      'rc-service',
      'chkconfig',
      'update-rc.d',
      'sc',
      'initctl',
    ],
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
    programs: [
      'iptables',
      'ip6tables',
      'nft',
      'ufw',
      'firewall-cmd',
      'pfctl',
      'setenforce',
      'spctl',
      'csrutil',
      'aa-disable',
      'apparmor_parser',
      'auditctl',
      'ip',
      'route',
      'ifconfig',
      'nmcli',
      'iptables-restore',
      'netsh',
      'aa-teardown',
      'fail2ban-client',
      'tc',
    ],
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
          /^(?:disable|reset|delete|allow|enable|deny|default)$/.test(first) || first === '--force',
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
    programs: [
      'useradd',
      'adduser',
      'userdel',
      'deluser',
      'usermod',
      'passwd',
      'chpasswd',
      'groupadd',
      'groupdel',
      'groupmod',
      'gpasswd',
      'visudo',
      'vipw',
      'chsh',
      'chage',
      'newusers',
      'dscl',
      'sysadminctl',
      'net',
      'su',
      'delgroup',
      'addgroup',
    ],
    call: (call) => {
      const { program, words } = call
      if (isHelp(call) || words.includes('--version')) return undefined
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
    programs: ['crontab', 'at', 'batch', 'systemd-run', 'schtasks', 'atrm'],
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
      if (program === 'schtasks')
        return call.words.some((word) => /^\/(?:create|delete|change)$/i.test(word)) ? 'schtasks' : undefined
      return program
    },
    examples: {
      match: [
        'crontab -r',
        'crontab new.txt',
        'echo "* * * * * x" | crontab -',
        'echo x | at now + 1 hour',
        '(crontab -l; echo "* * * * * x") | crontab -',
      ],
      noMatch: ['crontab -l', 'at -l', 'atq', 'cat /etc/crontab'],
    },
  },
  {
    id: 'kernel',
    about: 'Kernel modules and settings, mounts, swaps, clocks, tracing of other processes',
    standard: 'ask',
    strict: 'deny',
    instead: 'Read the value: `sysctl kernel.hostname`.',
    programs: [
      'insmod',
      'rmmod',
      'modprobe',
      'sysctl',
      'mount',
      'umount',
      'swapoff',
      'swapon',
      'hwclock',
      'timedatectl',
      'date',
      'hostnamectl',
      'gdb',
      'strace',
      'dkms',
      'update-grub',
      'grub-mkconfig',
      'mkinitcpio',
      'dracut',
      'chroot',
      'pivot_root',
      'nsenter',
      'unshare',
      'ptrace',
      'depmod',
      'update-initramfs',
      'losetup',
      'nvram',
      'setpci',
      'ldconfig',
    ],
    call: (call) => {
      const { program, words } = call
      if (isHelp(call) || words.includes('--version') || words.includes('-V')) return undefined
      const found = (yes: boolean) => (yes ? `${program} ${words.join(' ')}`.slice(0, 60).trim() : undefined)
      switch (program) {
        case 'sysctl':
          return found(
            has(call, '-w', '--write', '--system') ||
              words.some((word) => /^[\w.]+=/.test(word)) ||
              words.includes('-p'),
          )
        case 'modprobe':
          return found(!has(call, '-n', '--dry-run', '-D', '--show-depends', '-c', '--showconfig'))
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
    about: 'Removing packages of the system, adding package sources',
    standard: 'ask',
    strict: 'ask',
    instead: 'See what would go: `apt-get remove --simulate nginx`.',
    programs: [
      'apt',
      'apt-get',
      'aptitude',
      'dpkg',
      'rpm',
      'dnf',
      'yum',
      'pacman',
      'yay',
      'zypper',
      'apk',
      'brew',
      'snap',
      'flatpak',
      'port',
      'emerge',
      'nix-env',
      'nix-collect-garbage',
      'add-apt-repository',
      'apt-key',
      'choco',
      'winget',
      'pip',
      'pip3',
      'xbps-remove',
      'conda',
    ],
    call: (call) => {
      const { program } = call
      if (isHelp(call) || isDryRun(call) || (has(call, '-s', '--just-print') && /^apt/.test(program)))
        return undefined
      const verb = operands(call, options('-n --name -c -t -o -y'))[0] ?? ''
      const found = (yes: boolean) => (yes ? `${program} ${verb}`.trim() : undefined)
      if (program === 'pacman' || program === 'yay')
        return found(call.words.some((word) => /^-R/.test(word)) || has(call, '--remove'))
      if (program === 'dpkg') return found(has(call, '-r', '-P', '--remove', '--purge', '--force-all'))
      if (program === 'rpm') return found(has(call, '-e', '--erase', '--nodeps'))
      if (program === 'emerge') return found(has(call, '-C', '--unmerge', '-c', '--depclean'))
      if (program === 'nix-collect-garbage') return found(has(call, '-d', '--delete-old'))
      if (/^(?:add-apt-repository|apt-key|xbps-remove)$/.test(program))
        return found(call.words.length > 0 && verb !== 'list')
      if (program === 'pip' || program === 'pip3') return found(has(call, '--break-system-packages'))
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
        'sudo apt remove nginx',
        'pacman -Rns x',
        'dpkg --purge x',
        'brew uninstall git',
        'yum erase x',
        'rpm -e --nodeps glibc',
      ],
      noMatch: [
        'apt-get install jq',
        'apt-get remove --simulate nginx',
        'apt list',
        'brew list',
        'pacman -Q',
        'rpm -qa',
        'pip install x',
        'dpkg -l',
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
  {
    id: 'container-delete',
    about: 'Deleting containers, images and above all volumes in bulk',
    standard: 'ask',
    strict: 'ask',
    instead: 'See what there is: `docker system df`; then remove one by its name, `docker rm web`.',
    programs: CONTAINERS,
    call: (call) => containerDelete(call),
    examples: {
      match: [
        'docker system prune',
        'docker system prune -af --volumes',
        'docker volume rm data',
        'docker volume prune -f',
        'docker rm -f $(docker ps -aq)',
        'docker compose down -v',
        'docker-compose down --volumes',
        'podman system reset',
        'docker rmi -f x',
        'docker container prune',
        'docker swarm leave --force',
        'docker stack rm x',
      ],
      noMatch: [
        'docker ps',
        'docker system df',
        'docker rm web',
        'docker compose down',
        'docker volume ls',
        'docker build .',
        'docker images',
        'docker compose up -d',
      ],
    },
  },
  {
    id: 'container-escape',
    about: 'Containers with the rights or the files of the machine',
    standard: 'ask',
    strict: 'deny',
    instead: 'Give it the project alone: `docker run --rm -v "$PWD:/work" alpine ls`.',
    programs: ['docker', 'podman', 'nerdctl', 'docker-compose'],
    call: (call) => {
      const verbs = operands(call, DOCKER_VALUED)
      if (isHelp(call) || !/^(?:run|create|container|exec|compose)$/.test(verbs[0] ?? '')) return undefined
      if (call.words.some((word) => /^--privileged(?:=true)?$/.test(word)))
        return '--privileged gives it all rights of the machine'
      if (
        call.words.some((word) =>
          /^--(?:pid|ipc|uts|userns|cgroupns)=host$|^--cap-add=(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)|^--security-opt=(?:seccomp|apparmor)[=:]unconfined|^--device=\/dev\/(?:sd|nvme|mem|kmem)/i.test(
            word,
          ),
        )
      )
        return 'it shares the rights of the machine'
      const at = call.words.findIndex((word) => /^--(?:pid|ipc|userns)$/.test(word))
      if (at >= 0 && call.words[at + 1] === 'host') return 'it shares the processes of the machine'
      if (
        call.words.some(
          (word, i) =>
            /^--cap-add$/.test(word) &&
            /^(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)$/i.test(call.words[i + 1] ?? ''),
        )
      )
        return 'it gets rights of the machine'
      const mount = call.words.find((word) =>
        /^(?:-v|--volume=|--mount=)?(?:type=bind,)?(?:(?:source|src)=)?(?:\/|\/(?:etc|root|home|var|usr|boot|proc|sys|dev)|~|\$HOME|\/var\/run\/docker\.sock|\/run\/docker\.sock|~\/\.ssh)(?::|,)/.test(
          word,
        ),
      )
      return mount === undefined ? undefined : `"${mount}" gives it files of the machine`
    },
    examples: {
      match: [
        'docker run --privileged x',
        'docker run -v /:/host alpine',
        'docker run --pid=host x',
        'docker run -v /var/run/docker.sock:/var/run/docker.sock x',
        'docker run --pid host x',
        'docker run --cap-add SYS_ADMIN x',
      ],
      noMatch: [
        'docker run --rm -v "$PWD:/work" alpine ls',
        'docker run -p 80:80 nginx',
        'docker ps',
        'docker run -v data:/data x',
        'docker run -v /tmp/x:/x alpine',
      ],
    },
  },
  {
    id: 'privilege',
    about: 'Anything that runs as another user',
    standard: 'watch',
    strict: 'ask',
    instead: 'Do it without sudo, or tell the owner the command to run.',
    programs: ['sudo', 'doas', 'su', 'pkexec', 'runuser', 'gsudo', 'run0', 'machinectl'],
    call: (call) => {
      if (isHelp(call) || call.words.includes('--version') || call.words.includes('-V')) return undefined
      if (
        call.program === 'sudo' &&
        (call.words.length === 0 || (has(call, '-l', '-k', '-K', '-v') && operands(call).length === 0))
      )
        return undefined
      if (call.program === 'machinectl') return call.words[0] === 'shell' ? 'machinectl shell' : undefined
      return `${call.program} gives other rights`
    },
    examples: {
      match: ['sudo apt install x', 'su - root', 'doas sh'],
      noMatch: ['sudo -l', 'sudo --version', 'echo sudo', 'man su'],
    },
  },
]

function containerDelete(call: Call): string | undefined {
  if (isHelp(call) || isDryRun(call)) return undefined
  const isCompose = /-compose$/.test(call.program)
  const [first = '', second = '', third = ''] = isCompose
    ? ['compose', ...operands(call, DOCKER_VALUED)]
    : operands(call, DOCKER_VALUED)
  const found = `${call.program} ${[first, second].join(' ')}`.trim()
  if (
    /^(?:system|image|container|volume|network|builder|buildx)$/.test(first) &&
    /^(?:prune|reset)$/.test(second)
  )
    return found
  if (first === 'volume' && /^(?:rm|remove)$/.test(second)) return found
  if (first === 'system' && second === 'reset') return found
  if (first === 'compose') {
    const takesData = call.words.some((word) => /^-\w*v\w*$|^--volumes$|^--rmi/.test(word))
    if (second === 'down' && takesData) return `${found} with its volumes`
    return second === 'rm' && call.words.some((word) => /^-\w*v/.test(word)) ? found : undefined
  }
  if (
    /^(?:swarm|stack|service|node|secret|config|context|machine)$/.test(first) &&
    /^(?:leave|rm|remove|reset)$/.test(second)
  )
    return found
  const isAll = call.words.some((word) => /\$\(|`|^--all$|^-a$|^-\w*a\w*f|^-\w*f\w*a/.test(word))
  const isForce = has(call, '-f', '--force')
  if (
    /^(?:rm|rmi|kill|stop|rmp)$/.test(first) ||
    (/^(?:container|image|pod)$/.test(first) && /^(?:rm|remove|kill|stop)$/.test(second))
  )
    return isAll || (isForce && first !== 'rm' && second !== 'rm') ? `${found} ${third}`.trim() : undefined
  return undefined
}

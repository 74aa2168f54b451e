/** Containers, images and volumes. */
import { type Call, has, isDryRun, isHelp, listedBy, names, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'

const DOCKER_VALUED = options(
  '-H --host -c --context -l --log-level --config -f --file -p --project-name --profile --env-file --project-directory',
)

const CONTAINERS = names('docker podman docker-compose podman-compose nerdctl finch crictl ctr buildah')

export const CONTAINER_GUARDS: readonly Guard[] = [
  {
    id: 'container-delete',
    about: 'Deleting containers, images and above all volumes in bulk',
    standard: 'ask',
    strict: 'ask',
    instead: 'See what there is: `docker system df`; then remove one by its name, `docker rm web`.',
    programs: CONTAINERS,
    call: (call, { calls }) => containerDelete(call, listedBy(calls, call) !== undefined),
    examples: {
      match: [
        'docker system prune',
        'docker system prune -af --filter --help',
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
        'docker ps -aq | xargs docker rm -f',
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
    programs: ['docker', 'podman', 'nerdctl', 'docker-compose', 'kubectl', 'oc'],
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
        'kubectl run x --image=alpine --privileged',
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
]

function containerDelete(call: Call, isListed: boolean): string | undefined {
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
    // Images without a name: nothing uses them, and a build makes them again.
    return first === 'image' && !has(call, '-a', '--all') ? undefined : found
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
  const isAll = isListed || call.words.some((word) => /\$\(|`|^--all$|^-a$|^-\w*a\w*f|^-\w*f\w*a/.test(word))
  const isForce = has(call, '-f', '--force')
  if (
    /^(?:rm|rmi|kill|stop|rmp)$/.test(first) ||
    (/^(?:container|image|pod)$/.test(first) && /^(?:rm|remove|kill|stop)$/.test(second))
  )
    return isAll || (isForce && first !== 'rm' && second !== 'rm') ? `${found} ${third}`.trim() : undefined
  return undefined
}

/** What runs in a cluster. */
import {
  type Call,
  has,
  isDryRun,
  isHelp,
  isSubcommand,
  lastValue,
  names,
  operands,
  subcommands,
} from '../call.ts'
import type { Guard } from '../guard.ts'
import { CLOUD_VALUED } from './clouds.ts'
import { NOT_PRODUCTION, PRODUCTION } from './databases.ts'

const KUBE = names(`
  kubectl oc k3s microk8s kubectl.exe k helm helmfile argocd flux istioctl velero eksctl kops kubeadm
  kind minikube k3d rancher talosctl nomad colima limactl
`)

export const CLUSTER_GUARDS: readonly Guard[] = [
  {
    id: 'cluster-delete',
    about: 'Deleting or draining what runs in a cluster',
    standard: 'ask',
    strict: 'ask',
    instead: 'Look at it first: `kubectl get all`, or try it: `kubectl delete pod web --dry-run=client`.',
    programs: KUBE,
    call: (call) => (isHelp(call) || isDryRun(call) ? undefined : clusterDelete(call)),
    examples: {
      match: [
        'kubectl delete namespace prod',
        'kubectl delete namespace prod --dry-run=client --dry-run=none',
        'kubectl delete pods --all -n --dry-run',
        'kubectl delete ns prod --context kind-dev --context prod',
        'kubectl delete ns prod -l --context=kind-dev',
        'kubectl delete pods --all',
        'kubectl -n x delete deploy web',
        'helm uninstall app',
        'kubectl drain node1 --force',
        'kubectl delete -f app.yaml',
        'kubectl scale deploy web --replicas=0',
        'kubectl replace --force -f x.yaml',
        'eksctl delete cluster x',
        'helm delete app',
        'argocd app delete x',
        'kind delete clusters --all',
        'minikube delete --all',
        'k3d cluster delete -a',
      ],
      noMatch: [
        'kind delete cluster --name ci',
        'minikube delete -p ci',
        'k3d cluster list',
        'kubectl delete pod x --context kind-dev',
        'kubectl --context=k3d-dev delete pod x',
        'kubectl get all',
        'kubectl delete pod web --dry-run=client',
        'kubectl delete pod web --dry-run=none --dry-run=server',
        'kubectl --context delete get pods',
        'helm list',
        'kubectl apply -f x.yaml',
        'kubectl logs delete-me',
        'kubectl scale deploy web --replicas=3',
        'helm upgrade app .',
        'kubectl describe pod x',
      ],
    },
  },
  {
    id: 'cluster-production',
    about: 'Deleting what runs in a cluster, where the words say production',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at it first: `kubectl get all`, and show the owner what is to go.',
    programs: KUBE,
    call: (call) => (isHelp(call) || isDryRun(call) ? undefined : deletesProduction(call)),
    examples: {
      match: [
        'kubectl delete namespace production',
        'kubectl --context prod delete deploy web',
        'helm uninstall shop -n prod',
        'eksctl delete cluster shop-prod',
      ],
      noMatch: [
        'kubectl get all',
        'kubectl get pods -n production',
        'kubectl delete namespace staging',
        'kubectl delete pod product-api',
        'kind delete clusters --all',
        'kubectl delete ns production --dry-run=client',
      ],
    },
  },
]

function deletesProduction(call: Call): string | undefined {
  const found = clusterDelete(call)
  if (found === undefined || LOCAL.test(call.program)) return undefined
  const isDeleted = /\b(?:delete|uninstall|destroy|reset)\b/.test(found)
  const words = call.words.join(' ')
  return isDeleted && PRODUCTION.test(words) && !NOT_PRODUCTION.test(words) ? found : undefined
}

const LOCAL = /^(?:kind|minikube|k3d|colima|limactl)$/

/** `--context kind-dev`: a cluster on this machine, which is made again in a minute. */
function isLocalContext(call: Call): boolean {
  const name = lastValue(call, '--context', '--kube-context') ?? ''
  return /^(?:kind-|k3d-|minikube$|docker-desktop$|rancher-desktop$|orbstack$|colima)/.test(name)
}

const CLUSTER_DELETES = subcommands(`
  helm: uninstall|delete|del|un|rollback
  helmfile: destroy|delete
  kubeadm: reset
  talosctl: reset|shutdown|reboot|wipe
  nomad: job stop, stop, system gc, node drain
  istioctl: uninstall, [^]* uninstall
  flux: uninstall|delete
`)

function clusterDelete(call: Call): string | undefined {
  const { program } = call
  const isInside = /^(?:k3s|microk8s|minikube)$/.test(program) && call.words[0] === 'kubectl'
  const at = isInside ? { ...call, program: 'kubectl', words: call.words.slice(1) } : call
  const { words } = at
  const ops = operands(at, CLOUD_VALUED)
  const [first = '', second = ''] = ops
  const name = `${program} ${first} ${second}`.trim()
  if (/^(?:kubectl|kubectl\.exe|oc|k|k3s|microk8s)$/.test(program)) {
    if (isLocalContext(at)) return undefined
    if (/^(?:delete|drain|cordon|evict|taint)$/.test(first)) return name
    if (first === 'scale')
      return words.some(
        (word, i) => word === '--replicas=0' || (word === '--replicas' && words[i + 1] === '0'),
      )
        ? name
        : undefined
    if (first === 'replace') return has(at, '--force') ? name : undefined
    if (first === 'patch') return /finalizers/.test(words.join(' ')) ? name : undefined
    if (first === 'apply')
      return has(at, '--prune') || (has(at, '--force') && !words.includes('--force-conflicts'))
        ? name
        : undefined
    if (first === 'rollout') return second === 'undo' ? name : undefined
    if (first === 'auth') return undefined
    if (first === 'create' && /^(?:clusterrolebinding|token)$/.test(second))
      return /cluster-admin/.test(words.join(' ')) ? name : undefined
    return first === 'config' && /^(?:delete|unset)/.test(second) ? name : undefined
  }
  const listed = CLUSTER_DELETES.get(program)
  if (listed) return isSubcommand(listed, ops) ? name : undefined
  // One local cluster is made again in a minute; all of them may be somebody's work.
  if (LOCAL.test(program))
    return /^(?:delete|rm|uninstall|prune)$/.test(first) || /^(?:delete|rm)$/.test(second)
      ? has(at, '--all', '-a', '--purge') || words.includes('clusters')
        ? name
        : undefined
      : undefined
  return first === 'delete' || second === 'delete' ? name : undefined
}

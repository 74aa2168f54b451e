/** Clouds, infrastructure tools, virtual machines and stores of objects. */
import {
  type Call,
  has,
  isDryRun,
  isHelp,
  isSubcommand,
  names,
  operands,
  options,
  stdinOf,
  subcommands,
} from '../call.ts'
import type { Guard } from '../guard.ts'
import { isNear } from '../hosts.ts'

export const CLOUD_VALUED = options(
  '--profile --region --output --query --endpoint-url --project --account --configuration --format --zone --location --subscription --resource-group -g -n -o -c --cluster --context --namespace --kubeconfig --server -s -l --selector --as --user --token --filter --name --ca-bundle --cli-input-json --color --verbosity --impersonate-service-account --billing-project --host --config --service --app -a --org --remote -r --stack -t --team --scope --cwd',
)

const CLOUDS = names(`
  aws gcloud gsutil az doctl linode-cli hcloud vultr-cli oci ibmcloud aliyun scw openstack nova s3cmd
  s5cmd mc rclone heroku fly flyctl vercel netlify railway render wrangler firebase supabase cf eb sam
  serverless sls amplify copilot-cli pulumi terraform tofu terragrunt cdk cdktf ansible
  ansible-playbook vagrant virsh proxmox qm pct lxc incus multipass packer databricks dbt bosh juju b2
  cloudflared vault consul aws-vault azcopy bcdedit vssadmin wbadmin stripe snyk twilio auth0 okta datadog-ci
  shopify algolia contentful sanity mongocli atlas confluent neonctl upstash civo exo kamatera ossutil
  sst copilot
`)

/** Without it the tool does not know any more what it made. */
const STATE_FILE = /\.tfstate[\w.*]*$|\/terraform\.tfstate\.d(?:\/|$)|\/\.pulumi\/stacks(?:\/|$)/

export const CLOUD_GUARDS: readonly Guard[] = [
  {
    id: 'cloud-delete',
    about:
      'Deleting machines, buckets, stacks and accounts in a cloud; rights given there; infrastructure applied without review',
    standard: 'ask',
    strict: 'deny',
    instead: 'See what would change: `terraform plan`, `aws s3 ls`.',
    programs: CLOUDS,
    finds: ({ effects, calls }) => {
      const state = effects.deletes.find(({ path }) => path.includes('state') && STATE_FILE.test(path))
      return state ? `"${state.text}" is the state of the infrastructure` : answeredApply(calls)
    },
    call: (call) =>
      isHelp(call) || isDryRun(call) || call.words.at(-1) === 'help'
        ? undefined
        : (cloudDelete(call) ?? opensOrEmpties(call)),
    examples: {
      match: [
        'terraform destroy',
        'terraform destroy -auto-approve -var --dry-run',
        'terraform apply -auto-approve',
        'aws ec2 terminate-instances --instance-ids i-1',
        'aws s3 rm s3://b --recursive',
        'aws s3 rb s3://b --force',
        'gcloud projects delete p',
        'az group delete -n rg',
        'gsutil -m rm -r gs://b',
        'pulumi destroy --yes',
        'heroku apps:destroy x',
        'aws rds delete-db-instance --db-instance-identifier x',
        'gcloud compute instances delete x',
        'cdk destroy',
        'doctl compute droplet delete 1',
        'rclone purge r:b',
        'fly apps destroy x',
        'aws cloudformation delete-stack --stack-name x',
        'terraform state rm x',
        'tofu destroy',
        'vagrant destroy -f',
        'heroku destroy -a x',
        'aws iam attach-group-policy --group-name g --policy-arn arn:aws:iam::aws:policy/AdministratorAccess',
        'gcloud projects add-iam-policy-binding p --member user:x --role roles/owner',
        'terraform apply saved.plan',
        'yes yes | terraform apply',
        'TF_CLI_ARGS_apply=-auto-approve terraform apply',
        'export TF_CLI_ARGS=-auto-approve; terraform apply',
        'rm terraform.tfstate.backup',
        'aws cloudtrail stop-logging --name audit',
        'stripe products delete p1 --live',
        'gcloud compute firewall-rules create x --allow tcp:22 --source-ranges 0.0.0.0/0',
        'gcloud compute firewall-rules create x --allow tcp:22',
        "az network nsg rule create -n r --access allow --source-address-prefixes '*'",
        'gsutil iam ch allUsers:objectViewer gs://b',
        'aws s3 cp x s3://b --acl public-read',
        'gcloud storage rsync empty gs://b --delete-unmatched-destination-objects',
        'gcloud container clusters resize c --num-nodes 0',
        'sst remove --stage production',
        'copilot app delete',
      ],
      noMatch: [
        'rm -rf .terraform',
        'aws cloudtrail describe-trails',
        'stripe products list',
        'terraform plan',
        'terraform apply',
        'yes yes | terraform init',
        'TF_CLI_ARGS_apply=-parallelism=5 terraform apply',
        'aws s3 ls',
        'aws ec2 describe-instances',
        'gcloud compute instances list',
        'az --query delete vm show',
        'gcloud --project delete compute instances list',
        'aws s3 cp x s3://b/x',
        'terraform plan -destroy -out p',
        'aws s3 rm help',
        'aws s3 rm s3://b --recursive --dryrun',
        'pulumi preview',
        'terraform fmt',
        'heroku apps:info',
        'aws iam list-attached-user-policies --user-name x',
        'gcloud projects get-iam-policy p',
        'gcloud compute firewall-rules create x --allow tcp:22 --source-ranges 10.0.0.0/8',
        "gcloud compute firewall-rules list --filter 'sourceRanges=0.0.0.0/0'",
        "az network nsg rule create -n r --access deny --source-address-prefixes '*'",
        'aws s3 cp x s3://b --acl private',
        'gcloud storage rsync dist gs://b',
        'gcloud container clusters resize c --num-nodes 3',
        'sst dev',
      ],
    },
  },
  {
    id: 'http-delete',
    about: 'Deleting something on another machine through its interface',
    standard: 'ask',
    strict: 'ask',
    instead: 'Read it first: `curl https://example.com/items/1`.',
    programs: ['curl', 'wget', 'http', 'https', 'xh', 'httpie'],
    call: ({ program, words, index }, { effects }) => {
      const isDelete = words.some(
        (word, i) =>
          /^(?:-X|--request=|--method=)?DELETE$/i.test(word) &&
          (/^-/.test(word) ||
            /^(?:-X|--request|--method)$/.test(words[i - 1] ?? '') ||
            /^(?:https?|xh|httpie)$/.test(program)),
      )
      if (!isDelete && !words.some((word) => /\/_delete_by_query\b/.test(word))) return undefined
      const host = effects.network.find(({ command }) => command === index)?.host
      const isSearch = words.some((word) => /:9200\b/.test(word))
      return !isSearch &&
        (isNear(host) || words.some((word) => /\/\/(?:localhost|127\.0\.0\.1)\b|^localhost\b/.test(word)))
        ? undefined
        : `DELETE${host === undefined ? '' : ` on ${host}`}`
    },
    examples: {
      match: [
        'curl -X DELETE https://x.example/items/1',
        'curl -XDELETE localhost:9200/index',
        'http DELETE x.example/items/1',
      ],
      noMatch: [
        'curl -X DELETE http://localhost:3000/items/1',
        'curl https://example.com/items/1',
        'curl -X POST https://x.example',
        'curl https://x.example/DELETE',
      ],
    },
  },
]

const CLOUD_DELETES = subcommands(`
  rclone: purge|delete|deletefile|rmdirs|cleanup|sync|move
  heroku: [^]*:(?:destroy|delete|reset|remove|rollback|unset), destroy|pg:reset|ps:stop|maintenance:on
  netlify firebase: [^]*:(?:delete|disable|remove|rm)
  wbadmin: delete
  serverless sls: remove
  virsh: destroy|undefine|vol-delete|pool-delete|snapshot-delete|net-destroy
  lxc multipass: delete|purge|rm
`)

const EVERYBODY =
  /(?:^|[=,:])(?:0\.0\.0\.0\/0|::\/0)(?:$|[,"'}\]])|\b(?:all(?:Authenticated)?Users\b|public-read)/i
const FROM = /^--source-(?:ranges|address-prefix(?:es)?|tags|asgs|service-accounts)(?:=(.*))?$/
const COUNT = /^--(?:num-nodes|size|node-count|new-capacity|desired-(?:count|capacity))(?:=(.*))?$/

/** Something there is opened to everybody, scaled to nothing, or made the copy of a folder that may be empty. */
function opensOrEmpties(call: Call): string | undefined {
  const { program, words } = call
  if (!/^(?:aws|gcloud|gsutil|az)$/.test(program)) return undefined
  const ops = operands(call, CLOUD_VALUED)
  if (ops.some((word) => /^(?:list|ls|get|show|describe)(?:$|-)/.test(word))) return undefined
  const name = `${program} ${ops.slice(0, 2).join(' ')}`
  if (words.some((word) => /^(?:--\w+=)?(?:deny|egress|outbound)$/i.test(word))) return undefined
  // A rule without a source is for all.
  const isRule = ops.some((word, i) => word === 'firewall-rules' || (word === 'nsg' && ops[i + 1] === 'rule'))
  const from = givenBy(words, FROM) ?? (ops.includes('create') ? '*' : '')
  if (isRule && /^(?:\*|internet|any)$/i.test(from)) return `${name} for everybody`
  if (words.some((word) => EVERYBODY.test(word))) return `${name} for everybody`
  if (givenBy(words, COUNT) === '0') return `${name} to nothing`
  return has(call, '--delete-unmatched-destination-objects')
    ? `${name} deletes what the source does not have`
    : undefined
}

/** Of an option, behind `=` or in the next word. */
function givenBy(words: readonly string[], option: RegExp): string | undefined {
  const at = words.findIndex((word) => option.test(word))
  return at < 0 ? undefined : (option.exec(words[at] ?? '')?.[1] ?? words[at + 1])
}

/** Nobody is asked: a pipe says yes, or a variable. */
function answeredApply(calls: readonly Call[]): string | undefined {
  const applies = calls.filter(
    (call) => /^(?:terraform|tofu|terragrunt|cdktf)$/.test(call.program) && operands(call).includes('apply'),
  )
  const [found] =
    applies.length > 0 && calls.some(setsAutoApprove)
      ? applies
      : applies.filter((call) => /^\s*y/i.test(stdinOf(call)))
  return found && `${found.program} apply without review`
}

function setsAutoApprove({ command, words }: Call): boolean {
  return [...command.assignments.map(({ name, value }) => `${name}=${value.text}`), ...words].some((word) =>
    /^TF_CLI_ARGS(?:_apply)?=.*-auto-approve/.test(word),
  )
}

function cloudDelete(call: Call): string | undefined {
  const { program, words } = call
  const ops = operands(call, CLOUD_VALUED)
  const [first = '', second = '', third = ''] = ops
  const name = (text: string) => `${program} ${text}`.trim()
  const listed = CLOUD_DELETES.get(program)
  if (listed) return isSubcommand(listed, ops) ? name(first) : undefined
  switch (program) {
    case 'terraform':
    case 'tofu':
    case 'terragrunt':
    case 'cdktf': {
      const verb =
        ops.find((word) =>
          /^(?:apply|destroy|state|workspace|plan|taint|untaint|force-unlock|run-all|import|init|fmt|validate|show|output)$/.test(
            word,
          ),
        ) ?? first
      const isAuto = words.some(
        (word) => /^--?auto-approve/.test(word) || word === '--terragrunt-non-interactive',
      )
      if (verb === 'destroy' || (ops.includes('destroy') && verb === 'run-all')) return name('destroy')
      if (verb === 'apply')
        return isAuto ||
          words.some((word) => /^--?destroy$/.test(word)) ||
          ops.length > ops.indexOf('apply') + 1
          ? name('apply without review')
          : undefined
      if (verb === 'state')
        return /^(?:rm|push|mv|replace-provider)$/.test(ops[ops.indexOf('state') + 1] ?? '')
          ? name('state')
          : undefined
      if (verb === 'workspace') return ops.includes('delete') ? name('workspace delete') : undefined
      return /^(?:taint|force-unlock)$/.test(verb) ? name(verb) : undefined
    }
    case 'aws':
      if (first === 's3') {
        if (second === 'rb') return name('s3 rb')
        if (second === 'rm') return name('s3 rm')
        if (second === 'sync') return has(call, '--delete') ? name('s3 sync --delete') : undefined
        return second === 'mv' && has(call, '--recursive') ? name('s3 mv') : undefined
      }
      return /^(?:delete|terminate|remove|deregister|purge|stop-instances|stop-db|reset|revoke|disable|detach|cancel|destroy|batch-delete|schedule-key-deletion|release|put-bucket-policy|put-public-access-block|modify-db|reboot|empty|restore-db|put-bucket-acl|put-object-acl|attach-(?:user|role|group)-policy|put-(?:user|role|group)-policy|create-access-key|create-login-profile|add-user-to-group|update-assume-role-policy|create-policy-version|change-resource-record-sets|authorize-security-group|stop-logging|update-login-profile|update-trail|put-event-selectors|stop-configuration-recorder|delete|stop-monitoring|archive-findings|create-user|create-role|update-account-password-policy|deactivate-mfa|put-key-policy|create-grant|modify-(?:snapshot|image)-attribute|modify-instance-attribute|add-permission|put-resource-policy|leave-organization|close-account|disassociate|unassign)/.test(
        second,
      )
        ? name(`${first} ${second}`)
        : undefined
    case 'gcloud': {
      const verb = ops.find(
        (word, i) =>
          i > 0 &&
          /^(?:delete|destroy|remove|stop|reset|disable|undelete|abandon-instances|remove-iam-policy-binding|add-iam-policy-binding|set-iam-policy|rm|purge)$/.test(
            word,
          ),
      )
      return verb === undefined ||
        ops.some((word, i) => i > 0 && i < ops.indexOf(verb) && /^(?:list|describe|get)$/.test(word))
        ? undefined
        : name(`${first} ${verb}`)
    }
    case 'gsutil':
      if (ops.includes('rm') || ops.includes('rb')) return name('rm')
      return ops.includes('rsync') && has(call, '-d') ? name('rsync -d') : undefined
    case 'az': {
      if (first === 'role' && second === 'assignment' && third === 'create')
        return name('role assignment create')
      if (first === 'ad' && /^(?:create|update)$/.test(third)) return name(`ad ${second} ${third}`)
      const verb = ops.find(
        (word, i) =>
          i > 0 && /^(?:delete|purge|remove|delete-batch|deallocate|stop|destroy|reset)$/.test(word),
      )
      return verb === undefined ? undefined : name(`${first} ${verb}`)
    }
    case 'azcopy':
      return first === 'remove' ||
        (first === 'sync' && words.some((word) => /delete-destination=true/.test(word)))
        ? name(first)
        : undefined
    case 'mc':
      if (/^(?:rm|rb)$/.test(first)) return name(first)
      return first === 'mirror' && has(call, '--remove') ? name('mirror --remove') : undefined
    case 's3cmd':
    case 's5cmd':
    case 'b2':
      return /^(?:del|rm|rb|delete-bucket|delete-file-version)$/.test(first) ||
        (first === 'sync' && words.some((word) => /^--delete/.test(word)))
        ? name(first)
        : undefined
    case 'pulumi':
      if (/^(?:destroy|down|dn)$/.test(first)) return name('destroy')
      if (first === 'up' || first === 'update')
        return has(call, '-y', '--yes', '--skip-preview') ? name('up without review') : undefined
      return (first === 'stack' && second === 'rm') || (first === 'state' && second === 'delete')
        ? name(`${first} ${second}`)
        : undefined
    case 'vercel':
      return /^(?:rm|remove)$/.test(first) || /^(?:rm|remove)$/.test(second) ? name('remove') : undefined
    case 'wrangler':
      return first === 'delete' || /^(?:delete|purge)$/.test(second) || /^(?:delete|purge)$/.test(third)
        ? name('delete')
        : undefined
    case 'stripe':
      return has(call, '--live') &&
        /^(?:create|update|delete|cancel|confirm|capture|post)$/.test(
          /^(?:post|delete)$/.test(first) ? first : second,
        )
        ? name(`${first} ${second} --live`)
        : undefined
    case 'vssadmin':
      return first === 'delete' ? name('delete shadows') : undefined
    case 'bcdedit':
      return words.some((word) => /^\/(?:set|delete)/i.test(word)) ? name('/set') : undefined
    case 'ansible': {
      const args = words.join(' ')
      return /\bstate=absent\b|-m\s+(?:shell|command|raw)|\brm\s+-/.test(args) &&
        /state=absent|rm\s+-r/.test(args)
        ? name('state=absent')
        : undefined
    }
    case 'ansible-playbook':
      return undefined
    case 'dbt':
      return has(call, '--full-refresh') ? name('--full-refresh') : undefined
    case 'vault':
      return (first === 'kv' &&
        /^(?:delete|destroy|metadata)$/.test(second) &&
        (second !== 'metadata' || third === 'delete')) ||
        first === 'delete' ||
        (first === 'secrets' && second === 'disable') ||
        (first === 'operator' && /^(?:seal|rekey|step-down)$/.test(second)) ||
        (first === 'lease' && second === 'revoke')
        ? name(`${first} ${second}`)
        : undefined
    default:
      return [first, second, third].some((word) =>
        /^(?:delete|destroy|remove|rm|terminate|purge|teardown|down|unpublish|delete-.*|decommission)$/.test(
          word,
        ),
      ) &&
        !/^(?:list|ls|show|get|describe|info|status)$/.test(second) &&
        first !== 'help'
        ? name(`${first} ${second}`)
        : undefined
  }
}

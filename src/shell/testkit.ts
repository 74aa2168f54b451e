import type { Command } from './command.ts'
import { parseScript } from './script.ts'

/**
 * Scripts at random, of what people and agents write and of what hides a command: quoting, variables, braces, substitutions,
 * control flow, heredocs, redirects, line continuations. Commands named c… succeed, no… fail; a branch that is not taken
 * has names with "dead" in it.
 */
export function generateScript(seed: number): string {
  return new Generator(seed).script()
}

/** Lists inside each other. */
const DEPTH = 3

class Generator {
  #state: number
  #names = 0
  #variables: string[] = []
  #arrays: string[] = []
  #functions: string[] = []
  #heredocs: string[] = []
  #folders = 0
  #inSubstitution = false
  #inFunction = false

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0 || 1
  }

  script(): string {
    return this.#list(DEPTH)
  }

  /** Xorshift: the same seed gives the same script. */
  below(limit: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % limit
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  #name(prefix = 'c'): string {
    this.#names++
    return `${prefix}${this.#names}`
  }

  /** What is behind a newline: heredocs that were begun on the line. */
  #endLine(): string {
    const bodies = this.#heredocs.join('')
    this.#heredocs = []
    return `\n${bodies}`
  }

  /** In the background only at the top: nobody waits for a child's children. */
  #list(depth: number): string {
    let text = ''
    const count = 1 + this.below(3)
    for (let i = 0; i < count; i++) {
      text += this.#statement(depth)
      text +=
        this.#heredocs.length > 0 || this.chance(40)
          ? this.#endLine()
          : this.pick(['; ', ' ; ', depth === DEPTH ? ' & ' : '; '])
    }
    return text
  }

  #statement(depth: number): string {
    if (depth <= 0 || this.chance(45)) return this.#simple(depth)
    return this.pick([
      () => `${this.#simple(depth)} ${this.pick(['|', '|&', '| \\\n'])} ${this.#simple(depth - 1)}`,
      () => `${this.#taken()} && ${this.#statement(depth - 1)}`,
      () => `${this.#failing()} || ${this.#statement(depth - 1)}`,
      () => `${this.#failing()} && ${this.#dead()}`,
      () => `! ${this.#simple(depth)}`,
      () => `time ${this.#simple(depth)}`,
      () => `( ${this.#inSubshell(() => this.#list(depth - 1))})${this.#redirect()}`,
      () => `{ ${this.#list(depth - 1)}}${this.#redirect()}`,
      () => `if ${this.#taken()}; then ${this.#list(depth - 1)}else ${this.#dead()}; fi`,
      () =>
        `if ${this.#failing()}; then ${this.#dead()}; elif ${this.#taken()}; then ${this.#list(depth - 1)}fi`,
      () => this.#for(depth),
      () => `for ((i = 0; i < 2; i++)); do ${this.#list(depth - 1)}done`,
      () => `while ${this.#failing()}; do ${this.#dead()}; done`,
      () => `until ${this.#taken()}; do ${this.#dead()}; done`,
      () => `while ${this.#taken()}; do ${this.#list(depth - 1)}break; done`,
      () => `case a${this.#word(1)} in zz) ${this.#dead()} ;; *) ${this.#list(depth - 1)} ;; esac`,
      () => this.#function(depth),
      () => `[[ -n ${this.#word(1)} ]] && :`,
      () => `(( 1 + $(${this.#name()} x; echo 2) ))`,
    ])()
  }

  #taken(): string {
    return `${this.#name()} ${this.pick(['', 'x', "'y z'"])}`.trim()
  }

  #failing(): string {
    return this.#name('no')
  }

  #dead(): string {
    return this.#name('dead')
  }

  /** No heredocs and arrays in it: bash 5.2 prints a substitution, reads it again, and loses a `;` or a backslash of them. */
  #substitution(make: () => string): string {
    const was = this.#inSubstitution
    this.#inSubstitution = true
    const text = this.#inSubshell(make)
    this.#inSubstitution = was
    return `$( ${text})`
  }

  /** Variables that are set in a subshell are gone behind it. */
  #inSubshell(make: () => string): string {
    const saved = [this.#variables, this.#arrays, this.#functions, this.#heredocs] as const
    this.#variables = [...this.#variables]
    this.#arrays = [...this.#arrays]
    this.#functions = [...this.#functions]
    this.#heredocs = []
    const text = make()
    const end = this.#heredocs.length > 0 ? this.#endLine() : ''
    ;[this.#variables, this.#arrays, this.#functions, this.#heredocs] = saved
    return text + end
  }

  #for(depth: number): string {
    const name = this.pick(['x', 'y'])
    const words = Array.from({ length: 1 + this.below(3) }, () => this.#plain()).join(' ')
    this.#variables.push(name)
    return `for ${name} in ${words}; do ${this.#list(depth - 1)}done`
  }

  #function(depth: number): string {
    const name = `f${++this.#names}`
    const wasIn = this.#inFunction
    this.#inFunction = true
    const body = `${this.#name()}; ${this.#list(depth - 1)}`
    this.#inFunction = wasIn
    const head = this.pick([`${name}() {`, `function ${name} {`, `${name} ()\n{`])
    this.#functions.push(name)
    return `${head} ${body}}; ${name} ${this.#plain()} ${this.#word(1)}`
  }

  #simple(depth: number): string {
    if (this.chance(28)) return this.#changing(depth)
    if (this.#functions.length > 0 && this.chance(10))
      return `${this.pick(this.#functions)} ${this.#words(depth)}`
    if (this.chance(8)) return this.#text()
    const prefix = this.chance(8) ? `P${this.below(3)}=${this.#word(depth)} ` : ''
    return `${prefix}${this.#program(depth)} ${this.#words(depth)}${this.#redirect()}`
  }

  /** Commands out of text. */
  #text(): string {
    const name = this.#name()
    return this.pick([
      `eval ${name} ${this.#plain()}`,
      `eval '${name} "p q"; ${name} $v'`,
      `eval "${name} 'r s'"`,
      `echo ${name} | bash -s`,
      `source <(echo ${name} x)`,
      `. /dev/stdin <<< '${name} "a b"'`,
      `eval "$(echo ${name} x)"`,
    ])
  }

  #words(depth: number): string {
    return Array.from({ length: this.below(4) }, () => this.#word(depth)).join(
      this.pick([' ', '  ', ' \\\n  ', '\t']),
    )
  }

  #program(depth: number): string {
    const name = this.#name()
    return this.pick([
      () => name,
      () => name,
      () => name,
      () => `\\${name}`,
      () => `"${name}"`,
      () => `'c'${name.slice(1)}`,
      () => `$'\\x63'${name.slice(1)}`,
      () => `c\\\n${name.slice(1)}`,
      () => `{${name},w}`,
      () => `$(echo ${name})`,
      () => `\`echo ${name}\``,
      () => `\${unset_:-${name}}`,
      () => `command ${name}`,
      () => `sudo -n ${name}`,
      () => `env A=b ${name}`,
      () => `V=${name}; $V`,
      () => (depth > 0 ? this.#substitution(() => this.#simple(0)) : name),
    ])()
  }

  /** What changes the shell: later commands depend on it. */
  #changing(depth: number): string {
    const name = this.pick(['v', 'w', 'x', 'y'])
    const list = this.pick(['a', 'b'])
    return this.pick([
      () => this.#sets(name, `${name}=${this.#word(depth)}`),
      () => this.#sets(name, `${name}=${this.#word(depth)}`),
      () => this.#sets(name, `${name}=${this.pick(['', '"one two"', "'a  b'", "'*'", 'foo.tar.gz', '7'])}`),
      () => this.#sets(name, `${name}+=${this.#word(1)}`),
      () => this.#sets(name, `export ${name}=${this.#word(1)}`),
      () => (this.#inFunction ? this.#sets(name, `local ${name}=${this.#word(1)}`) : ':'),
      () => this.#sets(name, `read -r ${name} <<< ${this.#word(1)}`),
      () => this.#sets(name, `printf -v ${name} '%s-%s' ${this.#plain()} ${this.#plain()}`),
      () => `unset ${name}`,
      () => {
        if (this.#inSubstitution) return ':'
        const text = `${list}=(${this.#word(1)} ${this.#word(1)} ${this.#plain()})`
        this.#arrays.push(list)
        return text
      },
      () => (this.#arrays.includes(list) ? `${list}+=(${this.#plain()})` : ':'),
      () => `set -- ${this.pick(['', this.#plain()])} ${this.#plain()}`,
      () => 'set --',
      () => (this.#inFunction ? 'shift' : ':'),
      () => (this.#folders++ < 3 ? `cd ${this.pick(['d1', './d1', '"d1"'])}` : ':'),
    ])()
  }

  #sets(name: string, text: string): string {
    this.#variables.push(name)
    return text
  }

  #plain(): string {
    return this.pick(['a', 'b1', 'x.txt', '-f', '--long=x', 'a/b', 'k=v', '12', '@', 'z:y', 'é'])
  }

  #word(depth: number): string {
    const one = this.#part(depth)
    return this.chance(25) ? one + this.#part(depth) : one
  }

  #part(depth: number): string {
    const name = this.#variables.length > 0 ? this.pick(this.#variables) : 'unset_'
    const list = this.#arrays.length > 0 ? this.pick(this.#arrays) : 'unset_'
    return this.pick([
      () => this.#plain(),
      () => this.#plain(),
      () => this.#plain(),
      () => `'${this.pick(['a b', '$x', '`q`', 'a"b', '', 'x\ny', '\\n', '{a,b}', '~'])}'`,
      () =>
        `"${this.pick(['a b', '\\$x', '\\`', 'a\\"b', '', "it's", '\\\\', '!', '{a,b}', '*', '~', 'a\\\nb'])}"`,
      () => this.pick(['a\\ b', '\\$x', '\\*', 'a\\\nb', '\\"', '\\~', '\\{a,b\\}', '\\#']),
      () => `$'${this.pick(['a\\tb', '\\x41', "\\'", '\\101', 'a\\nb', '\\u00e9', '\\\\', '\\e'])}'`,
      () => `$${name}`,
      () => `"$${name}"`,
      () => `\${${name}}`,
      () => `"\${${name}}"`,
      () =>
        `\${${name}${this.pick([':-d', ':+p', '-d', '%.*', '%%.*', '#*o', '##*.', '/o/0', '//o/0', ':1', ':1:2', ':0:1', '^^', ',,', '^', '/#f/g', '/%z/y'])}}`,
      () => `"\${${name}${this.pick([':-d e', ':+p q', '%.*', '//o/ ', '^^'])}}"`,
      () => `\${#${name}}`,
      () =>
        this.#arrays.length > 0
          ? this.pick([
              `\${${list}[@]}`,
              `"\${${list}[@]}"`,
              `\${${list}[0]}`,
              `"\${${list}[1]}"`,
              `\${#${list}[@]}`,
              `"\${${list}[*]}"`,
            ])
          : 'l',
      () => (this.#inFunction ? this.pick(['$1', '"$2"', '"$@"', '$@', '$#', '"$*"']) : 'm'),
      () =>
        this.pick([
          '{a,b}',
          'x{1..3}y',
          '{a,b}{c,d}',
          '{a,"b c"}',
          `{$${name},z}`,
          '{c..a}',
          '{01..03}',
          '{a,{b,c}}d',
          '{a}',
          '{,x}',
          '{5..1..2}',
          'a{b,}c',
          "{'x y',z}",
        ]),
      () =>
        `$((${this.pick(['1 + 2', '2 * 3', '7 % 4', '(1 + 2) * 3', '1 < 2', '10 / 3', '-4', '2 ** 3', '1 ? 5 : 6'])}))`,
      () => `$(echo ${this.pick(['e', "'e f'", '"g  h"', '-n i'])})`,
      () => `"$(printf '%s,' ${this.#plain()} ${this.#plain()})"`,
      () => `\`echo ${this.pick(['j', '"k l"', '\\`echo m\\`'])}\``,
      () =>
        depth > 0 ? `${this.pick(['', '"'])}${this.#substitution(() => this.#statement(depth - 2))}` : 'n',
      () => (depth > 0 ? `"x ${this.#substitution(() => this.#simple(0))} y"` : 'n'),
      () => this.pick(['*.zz', '?q', '[ab]z', '~', '~/x', '$unset_', '"$unset_"']),
    ])().replace(/^"(\$\([\s\S]*\))$/, '"$1"')
  }

  #redirect(): string {
    if (this.chance(75)) return ''
    const plain = [
      () => ' > out1',
      () => ' 2>&1',
      () => ' >> out2 2> /dev/null',
      () => ' &> out3',
      () => ' < /dev/null',
      () => ' >| out4',
      () => ' 2>&-',
      () => ` <<< ${this.#word(1)}`,
    ]
    const heredocs = [
      () => {
        this.#heredocs.push(
          `text $${this.pick(this.#variables.concat('unset_'))} $(${this.#name()} in)\nE1\n`,
        )
        return ' << E1'
      },
      () => {
        this.#heredocs.push(`text $(dead) \`dead\`\nE2\n`)
        return ` << ${this.pick(["'E2'", '"E2"', '\\E2'])}`
      },
      () => {
        this.#heredocs.push('\ttext\n\tE3\n')
        return ' <<- E3'
      },
    ]
    return this.pick(this.#inSubstitution ? plain : [...plain, ...heredocs])()
  }
}

/** Pieces that open something, multiply something, or hand text on; @ stands for the dollar of a parameter. */
const TOKENS = [
  '$(¦`¦@{x:-¦((¦$((¦(¦{ ¦if ¦|¦&&¦"$(¦<(¦{a,¦{¦<<E\n¦case a in a) ¦f(){ ¦[[ ¦x=(¦"¦\'¦$\'¦\\¦[¦?(¦ ¦for a in ¦@{a[¦@{a/¦<<E ',
  '!¦time ¦coproc ¦)¦}¦fi¦done¦esac¦;¦\n¦$x¦a=$a$a;¦f(){ g;g; };¦for i in {1..64}; do ¦sudo ¦bash -c ¦eval ¦xargs ',
  'find . -exec ¦\\;¦python -c ¦os.system("¦system(¦subprocess.run([¦{1..9}¦{a,b}¦*¦~¦\0¦é¦=¦open("¦rm -rf ¦-¦echo ¦|bash',
  'printf %s%s ¦ssh h ¦git -c alias.x=¦env -S ¦@{x//a/b}¦@{x%%*a}¦$((1+¦((a=¦>¦<¦read a ¦while ¦do ¦parallel ::: ¦"$@" ¦set -- ¦#',
  '$[¦echo a > f;¦sh f;¦cp f g;¦sed \'s/a/b/e\' ¦awk \'{print ¦" | getline;¦tr a b|¦groovy -e \'¦.execute()¦\\"¦+"¦PAGER=¦make -f f ¦tar -I ¦cd a;¦"x" ¦a ¦tee f|',
].flatMap((line) => line.replaceAll('@{', '$' + '{').split('¦'))

/** Commands with faults in them, one out of the other, up to `longest` characters. */
export class Mutator extends Generator {
  #current = ''

  constructor(
    seed: number,
    readonly longest: number,
  ) {
    super(seed)
  }

  next(): string {
    const start = this.chance(60) && this.#current ? this.#current : generateScript(this.below(1_000))
    let text = start
    for (let i = this.below(4); i >= 0; i--) text = this.#mutated(text).slice(0, this.longest)
    this.#current = text
    return text
  }

  #mutated(text: string): string {
    const at = this.below(text.length + 1)
    const [before, behind] = [text.slice(0, at), text.slice(at)]
    const often = (few: number, many: number) => 1 + this.below(this.chance(5) ? many : few)
    switch (this.below(7)) {
      case 0:
        return before + this.pick(TOKENS) + behind
      case 1:
        return before + behind.slice(1 + this.below(8))
      case 2:
        return before + this.pick(TOKENS).repeat(often(30, 20_000)) + behind
      case 3:
        return (
          before +
          text.slice(this.below(text.length)).slice(0, this.below(200)).repeat(often(3, 400)) +
          behind
        )
      case 4:
        return before + String.fromCharCode(this.below(128)) + behind.slice(1)
      case 5:
        return before + generateScript(this.below(1_000)) + behind
      default:
        return before + Array.from({ length: often(12, 4_000) }, () => this.pick(TOKENS)).join('') + behind
    }
  }
}

/** Each command as one line; `?` before a word that is not known. */
export function started(source: string, isWanted: (command: Command) => boolean = () => true): string[] {
  return parseScript(source)
    .commands.filter((command) => command.argv.length > 0 && isWanted(command))
    .map(({ argv }) =>
      argv
        .map(({ text, known }) => (known ? '' : '?') + (text === '' ? "''" : text.replace(/\n/g, '⏎')))
        .join(' '),
    )
}

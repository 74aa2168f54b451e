/**
 * Ends handlers whose daemon was killed and could not do it itself. One shell, started with the first handler, knows which
 * process groups run: a handler names its own before its command begins, so there is no moment at which nobody knows of
 * it. When all ends of the pipe to that shell are closed, the daemon has ended, and it ends the groups, too.
 *
 *   const line = will.line()                                        // a descriptor that the handler gets as its 3
 *   const child = spawn(['/bin/sh', '-c', SIGN_IN + command], …)    // it signs in, and closes it
 *   will.add(child.pid)
 *   will.delete(child.pid)                                          // it is over
 */
import { writeSync } from 'node:fs'

/** Before a command, in its own shell; a shell that is gone must not cost the handler its life. */
export const SIGN_IN = `trap '' PIPE; { echo "+ $$" >&3; } 2>/dev/null; trap - PIPE; exec 3>&-\n`

/** In the words of any sh: only builtins, so that nothing has to be found or started when it counts. */
const SCRIPT = `groups=' '
while read -r sign group <&3; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`

interface Shell {
  readonly child: ReturnType<typeof start>
  readonly fd: number
}

export class ProcessReaper {
  readonly #groups = new Set<number>()
  #shell: Shell | undefined

  /** For the next handler; nothing when there is no process to spare, and it runs all the same. */
  line(): number | undefined {
    const { child } = this.#shell ?? {}
    if (child?.exitCode !== null || child.signalCode !== null) this.#begin()
    return this.#shell?.fd
  }

  /** A process group that has signed in or is about to; a new reaper shell gets its id. */
  add(group: number): void {
    this.#groups.add(group)
  }

  delete(group: number): void {
    if (this.#groups.delete(group)) this.#say('-', group)
  }

  /** When nothing runs any more. */
  close(): void {
    this.#groups.clear()
    this.#shell?.child.kill('SIGKILL')
    this.#shell = undefined
  }

  #begin(): void {
    this.#shell = undefined
    try {
      const child = start()
      child.unref()
      const fd = child.stdio[3]
      if (typeof fd === 'number') this.#shell = { child, fd }
    } catch {
      return // the next handler tries again
    }
    for (const group of this.#groups) this.#say('+', group)
  }

  #say(sign: '+' | '-', group: number): void {
    if (!this.#shell) return
    try {
      writeSync(this.#shell.fd, `${sign} ${group}\n`)
    } catch {
      this.#shell.child.kill('SIGKILL') // it does not listen; the next handler gets another
      this.#shell = undefined
    }
  }
}

function start() {
  return Bun.spawn(['/bin/sh', '-c', SCRIPT], {
    cwd: '/',
    env: {},
    detached: true, // what ends the daemon's group must not end this one
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
}

/** Several scripts as one, each of which runs by itself: the fields of a tool. In the whole, they stand one below the other. */
import type { Command, Script } from './command.ts'
import type { Effects } from './effects.ts'

export const NO_EFFECTS: Effects = {
  understood: true,
  commands: [],
  reads: [],
  writes: [],
  deletes: [],
  network: [],
}

/** `sources`: the text of each. */
export function unitedScripts(scripts: readonly Script[], sources: readonly string[] = []): Script {
  let base = 0
  let from = 0
  const commands = scripts.flatMap((script, i) => {
    const moved = script.commands.map((command) => movedBy(command, base, from))
    base += script.commands.length
    from += (sources[i]?.length ?? 0) + 1
    return moved
  })
  const why = scripts.find((script) => script.why !== undefined)?.why
  return {
    commands,
    understood: scripts.every(({ understood }) => understood),
    ...(why !== undefined && { why }),
    ...(scripts.some(({ isTooMuch }) => isTooMuch) && { isTooMuch: true }),
  }
}

export function unitedEffects(all: readonly Effects[], sources?: readonly string[]): Effects {
  if (all.length < 2) return all[0] ?? NO_EFFECTS
  const moved = <T extends { readonly command: number }>(of: (one: Effects) => readonly T[]): T[] => {
    let base = 0
    return all.flatMap((one) => {
      const by = base
      base += one.commands.length
      return of(one).map((effect) =>
        effect.command < 0 ? effect : { ...effect, command: effect.command + by },
      )
    })
  }
  return {
    ...unitedScripts(all, sources),
    reads: moved(({ reads }) => reads),
    writes: moved(({ writes }) => writes),
    deletes: moved(({ deletes }) => deletes),
    network: moved(({ network }) => network),
  }
}

function movedBy({ parent, pipedFrom, span, ...rest }: Command, base: number, from: number): Command {
  return {
    ...rest,
    ...(parent !== undefined && { parent: parent + base }),
    ...(pipedFrom !== undefined && { pipedFrom: pipedFrom + base }),
    span: [span[0] + from, span[1] + from],
  }
}

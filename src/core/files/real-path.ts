import { realpathSync } from 'node:fs'

/** The path with every link resolved; as it is if nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Hosts that mean something to guards. */

export function isNear(host: string | undefined): boolean {
  return (
    host !== undefined &&
    /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|.*\.local(?:host)?)(?::\d+)?$/.test(
      host,
    )
  )
}

/** Where a machine of a cloud gets its own credentials. */
export const METADATA =
  /^(?:169\.254\.169\.254|169\.254\.170\.2|100\.100\.100\.200|metadata\.google\.internal|metadata\.azure\.com|\[fd00:ec2::254\])(?::\d+)?$/

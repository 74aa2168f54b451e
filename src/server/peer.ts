/**
 * Who is at the other end of a Unix socket, as the kernel says. Bun has no call for it, so the system's own is used, and
 * loaded only when somebody wants to know.
 */
import { FFIType, ptr } from 'bun:ffi'
import { libc } from '../core/processes/libc.ts'

/** From the headers of Linux; they are the same on x86-64 and arm64. */
const SOL_SOCKET = 1
const SO_PEERCRED = 17
const CREDENTIAL_BYTES = 12 // pid, uid, gid

type GetSockOpt = (fd: number, level: number, name: number, value: number, length: number) => number

const found = getsockopt()

/** The process that connected; 0 where it cannot be seen from here, undefined where the system does not tell. */
export function peerPid(fd: number): number | undefined {
  if (!found || fd < 0) return undefined
  const credentials = new Int32Array(CREDENTIAL_BYTES / 4)
  const length = new Uint32Array([CREDENTIAL_BYTES])
  const failed = found(fd, SOL_SOCKET, SO_PEERCRED, Number(ptr(credentials)), Number(ptr(length)))
  const [pid = 0] = credentials
  return failed === 0 && pid >= 0 ? pid : undefined
}

/** `untold` on a system that tells nobody; `unknown` where it should have told and did not. */
export type PeerProcess = { readonly pid: number } | 'untold' | 'unknown'

export function peerOf(fd: number): PeerProcess {
  if (process.platform !== 'linux') return 'untold'
  const pid = peerPid(fd)
  return pid ? { pid } : 'unknown'
}

function getsockopt(): GetSockOpt | undefined {
  if (process.platform !== 'linux') return undefined
  const { i32, ptr: pointer } = FFIType
  const calls = libc({ getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 } })
  return calls?.getsockopt as unknown as GetSockOpt | undefined
}

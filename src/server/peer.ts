/**
 * The process at the other end of a Unix socket, from the kernel. Bun has no API for it, so this calls libc, which is
 * loaded on first use.
 */
import { FFIType, ptr } from 'bun:ffi'
import { libc } from '../core/processes/libc.ts'

/** From the Linux headers; the same on x86-64 and arm64. */
const SOL_SOCKET = 1
const SO_PEERCRED = 17
const CREDENTIAL_BYTES = 12 // pid, uid, gid

type GetSockOpt = (fd: number, level: number, name: number, value: number, length: number) => number

const found = getsockopt()

/** The connected process; 0 if it is invisible from here, undefined if the system does not say. */
export function peerPid(fd: number): number | undefined {
  if (!found || fd < 0) return undefined
  const credentials = new Int32Array(CREDENTIAL_BYTES / 4)
  const length = new Uint32Array([CREDENTIAL_BYTES])
  const failed = found(fd, SOL_SOCKET, SO_PEERCRED, Number(ptr(credentials)), Number(ptr(length)))
  const [pid = 0] = credentials
  return failed === 0 && pid >= 0 ? pid : undefined
}

/** `untold`: the system has no such call. `unknown`: the call failed. */
type PeerProcess = { readonly pid: number } | 'untold' | 'unknown'

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

/**
 * Copies what a file carries beside its bytes to its replacement: extended attributes, and the access list, which Linux
 * stores as one of them. Bun has no API for either.
 */
import { FFIType } from 'bun:ffi'
import { GantryError } from '../core/errors.ts'
import { libc } from '../core/processes/libc.ts'

/** The user's own attributes and access lists, which must be preserved. */
const MUST_STAY = /^(user|system)\./
/** The kernel's signatures of the content. The content changed, so the kernel computes them again. */
const OF_THE_CONTENT = ['security.ima', 'security.evm']
const ACCESS_LIST = 'system.posix_acl_access'
const { i32, i64, u32, u64, ptr: pointer } = FFIType

/** Copies between open files. Returns the names that could not be kept; throws if one of them must be preserved. */
export function copyAttributes(from: number, to: number): readonly string[] {
  return process.platform === 'darwin' ? copyOnMac(from, to) : copyOnLinux(from, to)
}

function copyOnLinux(from: number, to: number): readonly string[] {
  const calls = linuxCalls()
  if (!calls) return []
  const names = namesOf(calls, from)
  // A folder may give a default access list to every new file in it.
  if (!names.includes(ACCESS_LIST)) calls.fremovexattr(to, text(ACCESS_LIST))
  const lost = names.filter((name) => !OF_THE_CONTENT.includes(name) && !isCopied(calls, from, to, name))
  const vital = lost.filter((name) => MUST_STAY.test(name))
  if (vital.length === 0) return lost
  throw new GantryError(
    'PERMISSION',
    `A new file in its place would not keep ${vital.join(', ')}. Nothing was written. Look: getfattr -d -m - <file>`,
  )
}

type LinuxCalls = NonNullable<ReturnType<typeof linuxCalls>>

let loaded: { readonly calls: ReturnType<typeof loadLinux> } | undefined

function linuxCalls(): ReturnType<typeof loadLinux> {
  loaded ??= { calls: loadLinux() }
  return loaded.calls
}

function loadLinux() {
  return libc({
    flistxattr: { args: [i32, pointer, u64], returns: i64 },
    fgetxattr: { args: [i32, pointer, pointer, u64], returns: i64 },
    fsetxattr: { args: [i32, pointer, pointer, u64, i32], returns: i32 },
    fremovexattr: { args: [i32, pointer], returns: i32 },
  })
}

function namesOf({ flistxattr }: LinuxCalls, fd: number): string[] {
  const list = filled((room, size) => flistxattr(fd, room, size))
  return (list?.toString() ?? '').split('\0').filter(Boolean)
}

function isCopied({ fgetxattr, fsetxattr }: LinuxCalls, from: number, to: number, name: string): boolean {
  const value = filled((room, size) => fgetxattr(from, text(name), room, size))
  if (!value) return false
  const isSame = () => filled((room, size) => fgetxattr(to, text(name), room, size))?.equals(value) === true
  // A label that the new file already has need not be set, and often must not be.
  return isSame() || fsetxattr(to, text(name), place(value), value.length, 0) === 0
}

/** These calls return the needed size when given no buffer. */
function filled(call: (room: Buffer | null, size: number) => number | bigint) {
  const size = Number(call(null, 0))
  if (size < 0) return undefined
  const room = Buffer.alloc(size)
  const length = size === 0 ? 0 : Number(call(place(room), size))
  return length < 0 ? undefined : room.subarray(0, length)
}

/** An empty buffer has no address. */
function place(bytes: Buffer): Buffer | null {
  return bytes.length === 0 ? null : bytes
}

function text(name: string): Buffer {
  return Buffer.from(`${name}\0`)
}

/** From copyfile.h of macOS: the access list and the extended attributes, without the bytes. */
const COPYFILE_ACL = 1
const COPYFILE_XATTR = 4

function copyOnMac(from: number, to: number): readonly string[] {
  const calls = libc({ fcopyfile: { args: [i32, i32, pointer, u32], returns: i32 } })
  const isDone = calls?.fcopyfile(from, to, null, COPYFILE_ACL | COPYFILE_XATTR) === 0
  return isDone ? [] : ['its access list and extended attributes']
}

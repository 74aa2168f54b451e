/** Calls of the system's C library, for what Bun has no call for. */
import { dlopen, type FFIFunction } from 'bun:ffi'

const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'],
  darwin: ['libSystem.B.dylib'],
}

/** Undefined where none of the known libraries has them. */
export function libc<T extends Record<string, FFIFunction>>(
  wanted: T,
): ReturnType<typeof dlopen<T>>['symbols'] | undefined {
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      return dlopen(library, wanted).symbols
    } catch {
      // another C library
    }
  }
  return undefined
}

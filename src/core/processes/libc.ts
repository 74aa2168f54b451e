/** Calls the system's C library where Bun has no API. */
import { dlopen, type FFIFunction } from 'bun:ffi'

const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'],
  darwin: ['libSystem.B.dylib'],
}

/** Undefined if no known library has all the wanted functions. */
export function libc<T extends Record<string, FFIFunction>>(
  wanted: T,
): ReturnType<typeof dlopen<T>>['symbols'] | undefined {
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      return dlopen(library, wanted).symbols
    } catch {
      // try the next C library
    }
  }
  return undefined
}

/** Without what is undefined: `{ agent: undefined, limit: 3 }` is `{ limit: 3 }`. */
export function withoutUndefined<T extends object>(
  all: T,
): { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
} {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never
}

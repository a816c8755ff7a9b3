/** Gives what went through JSON its moments back: members whose names end in `At` and that hold a text. */
export function reviveMoments<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => reviveMoments(item)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      name.endsWith('At') && typeof inner === 'string' ? new Date(inner) : reviveMoments(inner),
    ]),
  ) as T
}

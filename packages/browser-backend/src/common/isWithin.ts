/**
 * Whether a value that somebody sent is plain data of this many characters and members at most. Looks no further than that: a schema would
 * look at every member of a list before it says that the list is too long.
 */
export function isWithin(value: unknown, most: number): boolean {
  let left = most
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    left -= 1
    if (typeof one === 'string') left -= one.length
    else if (typeof one === 'object' && one !== null) {
      const prototype: unknown = Object.getPrototypeOf(one)
      if (Array.isArray(one)) {
        // Before its members are put beside what waits.
        if (one.length > left) return false
        for (const member of one) waiting.push(member)
      } else if (prototype === Object.prototype || prototype === null) {
        for (const key of Object.keys(one)) {
          left -= key.length
          if (left < 0 || waiting.length > left) return false
          waiting.push((one as Record<string, unknown>)[key])
        }
      } else return false
    }
    if (left < 0) return false
  }
  return true
}

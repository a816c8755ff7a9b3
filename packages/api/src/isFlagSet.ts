/** Whether a parameter of an address is on: it is there, whatever it says other than `false` and `0`. Takes its text, or the value that was read from that. */
export function isFlagSet(value: unknown): boolean {
  return ![undefined, null, false, 'false', 0, '0'].includes(value as string | undefined)
}

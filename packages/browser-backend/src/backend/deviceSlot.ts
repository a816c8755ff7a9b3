/** Windows of one browser share its database; each keeps what it has in a slot of its own, for as long as it lives. */
export interface DeviceSlots {
  /** The number of a slot that no other window has; of those with something in them the first, else the first of all. */
  own: number
  /** Other slots with something in them, whose windows are gone. They stay locked as long as this window lives. */
  left: readonly number[]
}

/** Takes slots with the browser's locks, which end with their window. */
export async function takeSlots(
  name: string,
  filled: readonly number[],
  locks: Pick<LockManager, 'request'> | null,
): Promise<DeviceSlots> {
  // Browsers have no locks on pages that came over plain HTTP from another machine; there windows share one slot.
  if (!locks) return { own: 0, left: [] }
  const take = (slot: number): Promise<boolean> =>
    new Promise((resolve, reject) => {
      locks
        .request(`${name}:${slot}`, { ifAvailable: true }, (lock) => {
          resolve(lock !== null)
          return lock && new Promise<never>(() => undefined)
        })
        .catch(reject)
    })
  const left: number[] = []
  for (const slot of filled) if (await take(slot)) left.push(slot)
  const first = left.shift()
  if (first !== undefined) return { own: first, left }
  for (let slot = 0; ; slot += 1) if (!filled.includes(slot) && (await take(slot))) return { own: slot, left }
}

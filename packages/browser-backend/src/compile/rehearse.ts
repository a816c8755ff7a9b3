export interface RehearseOptions {
  /** Compiles something for nothing; false when there is nothing for it, or something else to do. */
  once(): Promise<boolean>
  pause(milliseconds: number): Promise<void>
}

/** A page that has just been shown has more to do: its editor comes behind it. */
const BEGIN_MS = 2_500
/** Others go on in between. */
const BETWEEN_MS = 60
/** After so many a compile takes a tenth of the first one; browsers make fast code of what runs often. */
const TIMES = 16

/** Makes the compiler fast before the first edit waits for it. */
export async function rehearse({ once, pause }: RehearseOptions): Promise<void> {
  await pause(BEGIN_MS)
  for (let time = 0; time < TIMES; time += 1) {
    if (!(await once())) return
    await pause(BETWEEN_MS)
  }
}

import type { Tier } from '../driver.ts'
import type { BoxCgroup } from './boxCgroup.ts'

/** The control groups of this machine, as far as the server may use them. */
export interface CgroupHost {
  /** What is held, and sentences for the operator. `hard` means that processor, memory and processes are all limited. */
  describe(): { hard: boolean; reasons: string[] }
  removeStale(): Promise<void>
  create(id: string, tier: Tier, processes: number): Promise<BoxCgroup>
}

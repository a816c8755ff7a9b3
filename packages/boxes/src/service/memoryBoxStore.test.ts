import { boxStoreContract } from '../testing/boxStoreContract.ts'
import { MemoryBoxStore } from './memoryBoxStore.ts'

boxStoreContract('memory', async () => new MemoryBoxStore())

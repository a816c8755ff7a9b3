import { z } from 'zod'
import { method } from '../method.ts'

const manager = z.literal('pnpm')
const dependency = z.object({ name: z.string().min(1).max(214), version: z.string().min(1).max(200) })

export const boxMethods = {
  'box/installDependencies': method(
    z.object({ manager, dependencies: z.array(dependency).max(1000) }),
    z.object({ success: z.boolean() }),
    'task.runCommand',
  ),
  'box/installedDependencies': method(
    z.object({ manager }),
    z.object({ dependencies: z.array(dependency) }),
    'task.list',
  ),
}

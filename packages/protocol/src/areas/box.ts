import { z } from 'zod'
import { method } from '../method.ts'

const manager = z.literal('pnpm')
const installed = z.object({ name: z.string(), version: z.string() })
/** Both become one word of a command: neither may read as an option of it. */
const wanted = z.object({
  name: z
    .string()
    .max(214)
    .regex(/^(@[\w~][\w.~-]*\/)?[\w~][\w.~-]*$/, 'must be the name of a package'),
  version: z
    .string()
    .max(200)
    .regex(/^[^\s\0-][^\0\r\n]*$/, 'must be a version or a range'),
})

export const boxMethods = {
  'box/installDependencies': method(
    z.object({ manager, dependencies: z.array(wanted).min(1).max(1000) }),
    z.object({ success: z.boolean() }),
    'task.runCommand',
  ),
  'box/installedDependencies': method(
    z.object({ manager }),
    z.object({ dependencies: z.array(installed) }),
    'task.list',
  ),
}

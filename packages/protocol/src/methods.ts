import type { z } from 'zod'
import { aiMethods, aiNotifications } from './areas/ai.ts'
import { boxMethods } from './areas/box.ts'
import { channelMethods, channelNotifications } from './areas/channel.ts'
import { clientMethods, clientNotifications } from './areas/client.ts'
import { commandMethods, commandNotifications } from './areas/command.ts'
import { containerMethods, containerNotifications } from './areas/container.ts'
import { fileMethods, fileNotifications } from './areas/file.ts'
import { fsMethods, fsNotifications } from './areas/fs.ts'
import { gitMethods, gitNotifications } from './areas/git.ts'
import { languageMethods, languageNotifications } from './areas/language.ts'
import { notificationMethods, notificationNotifications } from './areas/notification.ts'
import { portMethods, portNotifications } from './areas/port.ts'
import { setupMethods, setupNotifications } from './areas/setup.ts'
import { shellMethods, shellNotifications } from './areas/shell.ts'
import { systemMethods, systemNotifications } from './areas/system.ts'
import { taskMethods, taskNotifications } from './areas/task.ts'

/** Every request of the protocol, by its name on the wire. */
export const methods = {
  ...clientMethods,
  ...fsMethods,
  ...fileMethods,
  ...gitMethods,
  ...languageMethods,
  ...shellMethods,
  ...taskMethods,
  ...setupMethods,
  ...portMethods,
  ...commandMethods,
  ...containerMethods,
  ...systemMethods,
  ...aiMethods,
  ...channelMethods,
  ...notificationMethods,
  ...boxMethods,
}

/** Every notification of the protocol, by its name on the wire. */
export const notifications = {
  ...clientNotifications,
  ...fsNotifications,
  ...fileNotifications,
  ...gitNotifications,
  ...languageNotifications,
  ...shellNotifications,
  ...taskNotifications,
  ...setupNotifications,
  ...portNotifications,
  ...commandNotifications,
  ...containerNotifications,
  ...systemNotifications,
  ...aiNotifications,
  ...channelNotifications,
  ...notificationNotifications,
}

export type MethodName = keyof typeof methods
/** What a caller passes. */
export type ParamsInput<M extends MethodName> = z.input<(typeof methods)[M]['params']>
/** What a handler receives after validation. */
export type Params<M extends MethodName> = z.output<(typeof methods)[M]['params']>
export type Result<M extends MethodName> = z.output<(typeof methods)[M]['result']>

export type NotificationName = keyof typeof notifications
export type NotificationParams<N extends NotificationName> = z.output<(typeof notifications)[N]>

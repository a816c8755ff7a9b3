import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** What the box tells its dev server, from the environment. See boxContract.ts of the boxes package. */
const environmentSchema = z.object({
  BOXYARD_BOX_ID: z.string().min(1),
  BOXYARD_EPOCH: z.coerce.number().int().nonnegative(),
  BOXYARD_BOOT: z.enum(['CLEAN', 'RESUME', 'FORK']),
  BOXYARD_WORKSPACE: z.string().startsWith('/'),
  BOXYARD_STATE: z.string().startsWith('/'),
  BOXYARD_SOCKET: z.string().startsWith('/'),
  BOXYARD_EGRESS_SOCKET: z.string().startsWith('/').optional(),
  BOXYARD_PUBLIC_KEY: z.string().min(1),
  BOXYARD_PREVIEW_HOST: z.string().min(1),
  BOXYARD_ENDS: z.coerce.number().int().nonnegative().default(0),
  BOXYARD_SUCCEEDS: z.literal('yes').optional(),
  BOXYARD_START_TASKS: z.enum(['yes', 'no']).default('yes'),
  HOME: z.string().startsWith('/'),
})

export interface Configuration {
  boxId: string
  epoch: number
  boot: 'CLEAN' | 'RESUME' | 'FORK'
  /** True when an earlier dev server of this run ended without having been asked to. */
  isAgain: boolean
  /** True when the dev server before this one made way for it and handed its shells over. */
  isSuccessor: boolean
  /** Absolute path of the workspace. */
  workspace: string
  /** Absolute path of the folder for the journal, scrollback and set-up state. */
  state: string
  socket: string
  egressSocket: string | undefined
  /** A JWK as JSON text that verifies box tokens. */
  publicKey: string
  /** Host name of a preview, with `{id}` and `{port}` to fill in. */
  previewHost: string
  /** Whether the tasks with `runAtStart` start by themselves. */
  startTasks: boolean
  home: string
  /** Absolute path of the folder with the language servers, beside the bundle. */
  languageServers: string
  /** Absolute path of the folder with programs that come before those of the machine, beside the bundle. */
  programs: string
}

export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  const env = environmentSchema.parse(environment, { jitless: true })
  return {
    boxId: env.BOXYARD_BOX_ID,
    epoch: env.BOXYARD_EPOCH,
    boot: env.BOXYARD_BOOT,
    isAgain: env.BOXYARD_ENDS > 0,
    isSuccessor: env.BOXYARD_SUCCEEDS === 'yes',
    workspace: env.BOXYARD_WORKSPACE,
    state: env.BOXYARD_STATE,
    socket: env.BOXYARD_SOCKET,
    egressSocket: env.BOXYARD_EGRESS_SOCKET,
    publicKey: env.BOXYARD_PUBLIC_KEY,
    previewHost: env.BOXYARD_PREVIEW_HOST,
    startTasks: env.BOXYARD_START_TASKS === 'yes',
    home: env.HOME,
    languageServers: fileURLToPath(new URL('./language-servers', import.meta.url)),
    programs: fileURLToPath(new URL('./bin', import.meta.url)),
  }
}

/** The host name under which a port of this box is reached from a browser. */
export function previewHostOf(configuration: Pick<Configuration, 'boxId' | 'previewHost'>, port: number): string {
  return configuration.previewHost.replace('{id}', configuration.boxId).replace('{port}', String(port))
}

import { BoxError } from '@boxyard/boxes'
import type { BoxChange } from '@boxyard/boxes'
import type { FastifyRequest } from 'fastify'
import { totalmem } from 'node:os'
import type { Configuration } from '../configuration.ts'
import { asApiError } from '../machines/asApiError.ts'
import { mintDevServerToken, presentStart } from '../machines/startAnswer.ts'
import type { StartAnswer } from '../machines/startAnswer.ts'
import type { Sandbox } from '../sandboxes/index.ts'
import { refuseBeyond } from './refuseBeyond.ts'
import type { SdkParts } from './registerSdk.ts'
import type { SdkCaller } from './sdkCaller.ts'

const MEMORY_PER_BOX = 256 * 1024 * 1024
/** More running machines than this are refused to programs, so that people can still open theirs. */
export const MOST_RUNNING = Math.max(4, Math.floor(totalmem() / MEMORY_PER_BOX))

/** Starts the machine of a sandbox as the SDK asks for it, and answers how it is reached. */
export async function startMachine(
  { context, machines }: Pick<SdkParts, 'context' | 'machines'>,
  request: FastifyRequest,
  caller: SdkCaller,
  sandbox: Sandbox,
  change: BoxChange,
): Promise<StartAnswer> {
  const { configuration, tokens, log } = context
  try {
    if (Object.keys(change).length > 0) await machines.configure(sandbox.id, change)
    if (machines.epochOf(sandbox.id) === undefined) refuseBeyond(MOST_RUNNING, (await machines.running()).length)
    const started = await machines.start(sandbox.id)
    const access = caller.scopes.includes('sandbox_edit_code') && !sandbox.isFrozen ? 'write' : 'read'
    const token = await mintDevServerToken(tokens, sandbox.id, started.epoch, caller.user, access)
    return presentStart({ origin: originOf(request, configuration), isolation: machines.isolation, started, token })
  } catch (error) {
    if (!(error instanceof BoxError)) throw error
    log.warn({ sandbox: sandbox.id, code: error.code, err: error }, 'a machine did not start')
    throw asApiError(error)
  }
}

/**
 * Where the program that asks reaches this server: names below `localhost` are known to browsers, but not to every system. The gateway
 * has checked the host already.
 */
export function originOf(request: FastifyRequest, { protocol }: Pick<Configuration, 'protocol'>): string {
  return `${protocol}://${request.headers.host ?? ''}`
}

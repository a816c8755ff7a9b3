import type { IsolationLevel, StartedBox } from '@boxyard/boxes'
import { DEV_SERVER_VERSION } from '@boxyard/protocol'
import type { AccessLevel } from '@boxyard/protocol'
import { z } from 'zod'
import type { Tokens } from '../tokens/tokens.ts'
import { version } from '../version.ts'

/** A box token outlives a long pause of the laptop; a new run of the box ends it earlier. */
const BOX_TOKEN_SECONDS = 12 * 60 * 60
/** All boxes of an installation run on one machine. */
export const CLUSTER = 'local'

/** The answer to a start, in the form that public clients of the protocol read. */
export const startAnswerSchema = z.object({
  id: z.string(),
  bootup_type: z.enum(['RUNNING', 'RESUME', 'CLEAN', 'FORK']),
  cluster: z.string(),
  /** Address of the dev server's socket, without a trailing slash or query. */
  pitcher_url: z.string(),
  pitcher_token: z.string(),
  reconnect_token: z.string(),
  workspace_path: z.string(),
  user_workspace_path: z.string(),
  pitcher_version: z.string(),
  latest_pitcher_version: z.string(),
  pitcher_manager_version: z.string(),
  use_pint: z.literal(false),
  /** Boxyard's addition: how well the box is kept apart from its host. */
  isolation: z.enum(['none', 'namespace', 'userspace-kernel', 'vm']),
})
export type StartAnswer = z.infer<typeof startAnswerSchema>

/**
 * The answer to a start that failed: what happened, in which phase, and what to do about it. Without `phase` it was refused before
 * anything was tried.
 */
export const startFailureSchema = z.object({
  errors: z.array(z.string()),
  code: z.string(),
  phase: z.string().optional(),
  detail: z.string().nullish(),
  next: z.string(),
})
export type StartFailure = z.infer<typeof startFailureSchema>

/** The token with which somebody's client is let in by the dev server of one run. */
export function mintDevServerToken(
  tokens: Tokens,
  boxId: string,
  epoch: number,
  /** `sessionId` binds the token to the session it was given to: with its end the token ends too. */
  who: { id: string; username: string; name: string | null; avatarUrl: string | null; sessionId?: string | undefined },
  access: AccessLevel,
): Promise<string> {
  return tokens.mintBoxToken({
    aud: boxId,
    sub: who.id,
    ...(who.sessionId ? { sid: who.sessionId } : {}),
    epoch,
    access,
    username: who.username,
    name: who.name ?? who.username,
    avatarUrl: who.avatarUrl,
    exp: Math.floor(Date.now() / 1000) + BOX_TOKEN_SECONDS,
  })
}

const PLATFORM_TOKEN_SECONDS = 60 * 60

/** A token with which the platform itself joins a run. */
export function mintPlatformToken(tokens: Tokens, boxId: string, epoch: number): Promise<string> {
  return tokens.mintBoxToken({
    aud: boxId,
    sub: 'platform',
    epoch,
    access: 'write',
    username: 'boxyard',
    name: 'Boxyard',
    avatarUrl: null,
    exp: Math.floor(Date.now() / 1000) + PLATFORM_TOKEN_SECONDS,
  })
}

/** The address of a dev server's socket, on the host that the client came by. */
export function devServerUrl(origin: string, boxId: string): string {
  return `${origin.replace(/^http/, 'ws')}/box/${boxId}`
}

export function presentStart(options: {
  /** Where the client reaches this server. */
  origin: string
  isolation: IsolationLevel
  started: StartedBox
  token: string
}): StartAnswer {
  const { run, bootType } = options.started
  return {
    id: run.id,
    bootup_type: bootType,
    cluster: CLUSTER,
    pitcher_url: devServerUrl(options.origin, run.id),
    pitcher_token: options.token,
    reconnect_token: '',
    workspace_path: run.workspace,
    user_workspace_path: run.workspace,
    pitcher_version: DEV_SERVER_VERSION,
    latest_pitcher_version: DEV_SERVER_VERSION,
    pitcher_manager_version: version,
    use_pint: false,
    isolation: options.isolation,
  }
}

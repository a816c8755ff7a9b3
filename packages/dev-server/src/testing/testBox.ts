import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BoxTokenClaims } from '@boxyard/protocol'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Configuration } from '../configuration.ts'

/** The folders, keys and tokens of one box, for tests that start a dev server without a box around it. */
export interface TestBox {
  readonly configuration: Configuration
  /** The same as environment variables, for a child process. */
  readonly environment: Record<string, string>
  token(claims?: Partial<BoxTokenClaims>): Promise<string>
  remove(): Promise<void>
}

export async function createTestBox(changes: Partial<Configuration> = {}): Promise<TestBox> {
  const root = await mkdtemp(join(tmpdir(), 'boxyard-dev-server-'))
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const configuration: Configuration = {
    boxId: 'box1',
    epoch: 7,
    boot: 'CLEAN',
    workspace: join(root, 'workspace'),
    state: join(root, 'state'),
    socket: join(root, 'dev-server.sock'),
    egressSocket: undefined,
    publicKey: JSON.stringify(await exportJWK(publicKey)),
    previewHost: '{id}-{port}.preview.boxyard.localhost:4100',
    startTasks: true,
    isAgain: false,
    isSuccessor: false,
    home: join(root, 'home'),
    languageServers: join(root, 'no-language-servers'),
    programs: join(root, 'no-programs'),
    ...changes,
  }
  for (const folder of [configuration.workspace, configuration.home]) await mkdir(folder, { recursive: true })
  return {
    configuration,
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: configuration.home,
      BOXYARD_BOX_ID: configuration.boxId,
      BOXYARD_EPOCH: String(configuration.epoch),
      BOXYARD_BOOT: configuration.boot,
      BOXYARD_WORKSPACE: configuration.workspace,
      BOXYARD_STATE: configuration.state,
      BOXYARD_SOCKET: configuration.socket,
      BOXYARD_PUBLIC_KEY: configuration.publicKey,
      BOXYARD_PREVIEW_HOST: configuration.previewHost,
      BOXYARD_START_TASKS: configuration.startTasks ? 'yes' : 'no',
    },
    token: (claims = {}) =>
      new SignJWT({
        aud: configuration.boxId,
        sub: claims.username ?? 'user1',
        epoch: configuration.epoch,
        access: 'write',
        username: 'ada',
        name: 'Ada',
        avatarUrl: null,
        exp: Math.floor(Date.now() / 1000) + 600,
        ...claims,
      })
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(privateKey),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The platform's part of a box: the key that dev servers trust, and tokens signed with it. */
export class BoxKeys {
  /** What a dev server has to be told. */
  readonly environment: { BOXYARD_PUBLIC_KEY: string; BOXYARD_PREVIEW_HOST: string }
  readonly #privateKey: CryptoKey

  private constructor(publicKey: string, privateKey: CryptoKey) {
    this.environment = {
      BOXYARD_PUBLIC_KEY: publicKey,
      BOXYARD_PREVIEW_HOST: '{id}-{port}.preview.boxyard.localhost:4100',
    }
    this.#privateKey = privateKey
  }

  static async generate(): Promise<BoxKeys> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    return new BoxKeys(JSON.stringify(await exportJWK(publicKey)), privateKey)
  }

  /** A token that lets somebody write in one run of a box for an hour. */
  token(boxId: string, epoch: number, username: string): Promise<string> {
    const claims = { access: 'write', username, name: username, avatarUrl: null, epoch }
    return new SignJWT({ ...claims, aud: boxId, sub: username, exp: Math.floor(Date.now() / 1000) + 3600 })
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(this.#privateKey)
  }
}

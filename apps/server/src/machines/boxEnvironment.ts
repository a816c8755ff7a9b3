import { EGRESS_RELAY_PORT } from '@boxyard/boxes'
import { REGISTRY_PATH } from '@boxyard/packer'

/** The address at which programs in a box find the egress proxy, and the registry mirror behind it. */
export const egressAddress = `http://127.0.0.1:${EGRESS_RELAY_PORT}`
export const registryAddress = `${egressAddress}${REGISTRY_PATH.replace(/\/$/, '')}`

/** The environment that every box gets from the platform: who may connect, how it is reached, and its only way out. */
export function boxEnvironment(options: {
  publicKey: string
  previewHost: string
  pipIndex: string | null
}): Record<string, string> {
  const local = 'localhost,127.0.0.1,::1'
  return {
    BOXYARD_PUBLIC_KEY: options.publicKey,
    BOXYARD_PREVIEW_HOST: options.previewHost,
    HTTP_PROXY: egressAddress,
    HTTPS_PROXY: egressAddress,
    http_proxy: egressAddress,
    https_proxy: egressAddress,
    NO_PROXY: local,
    no_proxy: local,
    npm_config_registry: registryAddress,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    YARN_NPM_REGISTRY_SERVER: registryAddress,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    ...(options.pipIndex === null ? {} : { PIP_INDEX_URL: options.pipIndex }),
  }
}

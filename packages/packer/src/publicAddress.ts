import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import ipaddr from 'ipaddr.js'
import { PackerError } from './errors.ts'

/** Whether an IP address belongs to the public internet: not loopback, private, link-local, carrier, reserved or mapped to one of these. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'unicast'
}

export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void

/**
 * A DNS lookup that answers with public addresses only. The connection is made to the very address that was checked, so a name
 * that answers differently the second time gains nothing.
 */
export const publicLookup: Lookup = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const allowed = addresses.filter(({ address }) => isPublicAddress(address))
    const first = allowed[0]
    if (!first) return callback(new PackerError('PRIVATE_ADDRESS', hostname), [])
    if (options.all) return callback(null, allowed)
    return callback(null, first.address, first.family)
  })
}

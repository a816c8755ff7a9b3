import { resolve } from 'node:path'

/** The path rule of the protocol: relative paths start at the workspace, absolute ones are absolute in the box. */
export function boxPath(workspace: string, path: string): string {
  return resolve(workspace, path)
}

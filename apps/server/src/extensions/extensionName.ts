import { z } from 'zod'

// Each is one part of a path, and none of them is `.` or `..`.
export const publisherSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/)
export const extensionNameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/)
export const extensionVersionSchema = z.string().regex(/^\d{1,10}\.\d{1,10}\.\d{1,10}(?:-[A-Za-z0-9.-]{1,50})?$/)
/** The machine that a version is for; absent: every one. */
export const targetPlatformSchema = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)?$/)

export interface ExtensionName {
  publisher: string
  name: string
  version: string
  /** The machine that this version is for; absent: every one. */
  targetPlatform?: string | undefined
}

import { z } from 'zod'

/** What the guide and a refused start say about a setting. */
export interface SettingDocumentation {
  description: string
  /** Completes "expected …". */
  expected: string
  /** What holds when the setting is not given, in words or as the value itself. */
  fallback: string
  secret?: true
}

export const settingDocumentation = z.registry<SettingDocumentation>()

export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

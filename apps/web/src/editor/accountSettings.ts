import type { SettingsKeeper } from '@boxyard/workbench'
import { z } from 'zod'
import { RequestError } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'

/** The set of settings that the editor of this app keeps. */
const NAME = 'boxyard'
const PATH = '/users/current/editor_settings'

const keptSchema = z.object({ name: z.string(), settings: z.string(), updatedAt: z.string() })

/** Keeps the editor's settings with the account of the person. */
export function accountSettings(rest: RestClient, userId: string): SettingsKeeper {
  return {
    owner: userId,
    async load() {
      const kept = await rest.get(PATH, { schema: z.array(keptSchema) })
      const mine = kept.find(({ name }) => name === NAME)
      return mine ? { text: mine.settings, version: mine.updatedAt } : null
    },
    async store(text, version) {
      try {
        await rest.post(PATH, { schema: keptSchema, body: { name: NAME, settings: text, ifUpdatedAt: version } })
        return true
      } catch (error) {
        if (error instanceof RequestError && error.status === 409) return false
        throw error
      }
    },
  }
}

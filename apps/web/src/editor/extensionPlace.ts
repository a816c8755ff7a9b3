import type { ExtensionPlace } from '@boxyard/workbench'
import { z } from 'zod'
import type { RestClient } from '../api/RestClient.ts'
import { whenServerAnswers } from '../offline/whenServerAnswers.ts'
import { previewPlace } from './previewUrl.ts'

const PATH = '/extensions'
const keptSchema = z.object({ name: z.string(), location: z.string() })

/** Extensions come through this server, and run in frames of origins that have nothing else. Visitors have nowhere to keep files. */
export function extensionPlace(rest: RestClient, hasAccount: boolean): ExtensionPlace {
  const { protocol, base } = previewPlace()
  return {
    gallery: `${window.location.origin}/api/v1${PATH}/gallery`,
    frames: `${protocol}//frame-{{uuid}}.preview.${base}`,
    whenServed: () => whenServerAnswers(),
    keep: hasAccount ? (file) => rest.upload(`${PATH}/uploads`, { schema: keptSchema, file }) : undefined,
  }
}

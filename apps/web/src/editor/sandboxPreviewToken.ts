import { RequestError } from '../api/RequestError.ts'
import type { BoxApi } from './boxApi.ts'

/**
 * What opens the preview of a devbox or sandbox to the person. Null for nobody, who sees what is public, and while no server answers: then the
 * browser shows the page of a sandbox without a machine that it keeps, which asks for none.
 */
export async function sandboxPreviewToken(
  api: Pick<BoxApi, 'previewToken'>,
  { isSignedIn }: { isSignedIn: boolean },
): Promise<string | null> {
  if (!isSignedIn) return null
  try {
    return await api.previewToken()
  } catch (error) {
    if (error instanceof RequestError && error.status === 0) return null
    throw error
  }
}

export interface FailedUpload {
  /** With the folders that were uploaded with it. */
  name: string
  error: unknown
}

/** Names beyond this many are counted only. */
const NAMED = 5
/** Characters; a name may be the reason. */
const NAME_LENGTH = 60

/** Which files an upload did not bring, why the first one failed, and what of it is there. */
export function uploadFailureText(failed: readonly FailedUpload[]): string {
  const names = failed
    .slice(0, NAMED)
    .map(({ name }) => (name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name))
  if (failed.length > NAMED) names.push(`${failed.length - NAMED} more`)
  const error = failed[0]?.error
  const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  return `Not uploaded: ${names.join(', ')}. ${why}. Everything else was uploaded.`
}

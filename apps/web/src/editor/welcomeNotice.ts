import { isFlagSet } from '@boxyard/api/is-flag-set'
import type { NoticeContent } from '@boxyard/ui'
import type { Sandbox } from '../api/schemas.ts'
import { capabilitiesOf } from './capabilities.ts'

/** The parameter of an address that greets somebody who has not seen an editor here before. */
export const WELCOME = 'welcome'

/** The introduction that such an address asks for; null for others. */
export function welcomeNotice(
  search: string,
  sandbox: Pick<Sandbox, 'abilities' | 'v2' | 'isFrozen' | 'git' | 'title'>,
): NoticeContent | null {
  if (!isFlagSet(new URLSearchParams(search).get(WELCOME))) return null
  const { write, editCopy } = capabilitiesOf(sandbox)
  const place = sandbox.v2
    ? 'Files are on the left, terminals below, and what runs on the machine is in the preview.'
    : 'Files are on the left, and the preview beside them follows what you type.'
  const typing = write
    ? ' What you type is stored at once.'
    : editCopy
      ? ' It is not yours to edit: as soon as you type you get a copy that is.'
      : ''
  return { uniqueName: 'welcome', title: `Welcome to ${sandbox.title ?? 'Boxyard'}`, body: place + typing }
}

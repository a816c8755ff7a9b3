import type { App } from '../App.ts'
import type { Sandbox } from '../api/schemas.ts'
import { barePath, isBarePath } from './barePage.ts'
import { keptEdit } from './firstText/keptEdit.ts'
import type { KeptEdit } from './firstText/keptEdit.ts'
import { forkFailure, forkToDrafts } from './forkToDrafts.ts'
import type { ForkPlace } from './forkToDrafts.ts'
import { forkNote } from './forkNote.ts'

export interface OpenForkOptions {
  place?: ForkPlace | undefined
  /** What the person typed into the original until it is called. */
  edit?: (() => KeptEdit) | undefined
  /** Of this tab. */
  storage?: Storage
  location?: Pick<Location, 'pathname' | 'search' | 'assign'>
}

/** Makes a copy and opens it in place of this page, with what was typed. The editor's services live as long as the page does, so it is a new one. */
export async function openFork(
  { rest, notices }: Pick<App, 'rest' | 'notices'>,
  sandbox: Pick<Sandbox, 'id' | 'v2'>,
  { place, edit, storage = sessionStorage, location = window.location }: OpenForkOptions = {},
): Promise<void> {
  const kind = sandbox.v2 ? 'Devbox' : 'Sandbox'
  notices.dismiss('fork')
  const notice = notices.add({
    uniqueName: 'fork',
    title: `Forking this ${kind} to your Drafts`,
    body: edit ? 'The original stays as it is. Go on typing: it comes along.' : 'The original stays as it is.',
  })
  try {
    const copy = await forkToDrafts(rest, sandbox, place)
    const typed = edit?.()
    if (typed) keptEdit(storage, copy.id).write(typed)
    forkNote(storage, copy.id).write(sandbox.id)
    location.assign(addressOfFork(location, copy, typed?.path))
  } catch (error) {
    notices.dismiss(notice)
    notices.add(forkFailure(error, sandbox))
    throw error
  }
}

/** `openFork` for a person who asks for a copy; what became of it is told in a notice. */
export function askForFork(app: Pick<App, 'rest' | 'notices'>, sandbox: Pick<Sandbox, 'id' | 'v2'>): void {
  openFork(app, sandbox).catch(() => undefined)
}

/** Where the copy is: in the same editor, at the same file. */
function addressOfFork(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  { id, v2 }: Pick<Sandbox, 'id' | 'v2'>,
  file: string | undefined,
): string {
  const query = new URLSearchParams(search)
  for (const name of ['fork', 'privacy', 'workspaceId', 'comment', 'createRepo']) query.delete(name)
  if (file !== undefined) query.set('file', file)
  const path = `/${v2 ? 'devbox' : 'sandbox'}/${id}`
  return `${isBarePath(pathname) ? barePath(path) : path}${query.size === 0 ? '' : `?${query}`}`
}

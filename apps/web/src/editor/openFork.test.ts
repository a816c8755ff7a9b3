import { NoticeStore } from '@boxyard/ui'
import { expect, it } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'
import { keptEdit } from './firstText/keptEdit.ts'
import { forkNote } from './forkNote.ts'
import { forkNotice } from './forkToDrafts.ts'
import { openFork } from './openFork.ts'

function tab(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage
}

/** A page at an address, and a server that makes copies, or refuses. */
function page(address: string, refusal?: RequestError) {
  const { pathname, search } = new URL(address, 'http://app.example')
  const asked: unknown[] = []
  const opened: string[] = []
  const storage = tab()
  const notices = new NoticeStore({ after: () => () => undefined })
  const rest = {
    post: async (path: string, { body }: { body: { v2: boolean } }) => {
      asked.push([path, body])
      if (refusal) throw refusal
      return { id: 'copy', v2: body.v2 }
    },
  } as unknown as RestClient
  const location = { pathname, search, assign: (to: string | URL) => void opened.push(String(to)) }
  return { app: { rest, notices }, options: { storage, location }, asked, opened, storage, notices }
}

it('AP939: a copy of a devbox opens with what was typed until it was there, and says what it is', async () => {
  const { app, options, asked, opened, storage, notices } = page('/devbox/one?sidebar=search&fork=true')
  let text = 'typed'
  const forking = openFork(app, { id: 'one', v2: true }, { ...options, edit: () => ({ path: 'a.ts', base: '', text }) })
  text = 'typed on'
  await forking
  expect(asked).toEqual([['/sandboxes/one/fork', { v2: true }]])
  expect(opened).toEqual(['/devbox/copy?sidebar=search&file=a.ts'])
  expect(keptEdit(storage, 'copy').read()).toMatchObject({ path: 'a.ts', text: 'typed on' })
  expect(notices.all().map(({ title }) => title)).toEqual(['Forking this Devbox to your Drafts'])
  const note = forkNote(storage, 'copy')
  expect([note.take(), note.take()]).toEqual(['one', undefined])
  const said = forkNotice({ v2: true }, '/devbox/one')
  expect(said.title).toBe('We forked this Devbox to your Drafts, so that you can edit it')
})

it('AP939: the editor that is open is the one that the copy opens in', async () => {
  const { app, options, opened } = page('/vscode/one?mode=integrated&comment=7')
  await openFork(app, { id: 'one', v2: false }, options)
  expect(opened).toEqual(['/vscode/copy?mode=integrated'])
})

it('AP940: a copy goes where the address says, with the privacy that it says', async () => {
  const { app, options, asked } = page('/devbox/one?fork=true')
  await openFork(app, { id: 'one', v2: true }, { ...options, place: { workspaceId: 'w', privacy: 1 } })
  expect(asked).toEqual([['/sandboxes/one/fork', { v2: true, teamId: 'w', privacy: 1 }]])
})

it('AP939: without a copy the page stays, and says why', async () => {
  const full = new RequestError({ status: 403, code: 'LIMIT_REACHED', message: 'The maximum' })
  const { app, options, opened, storage, notices } = page('/devbox/one', full)
  const edit = () => ({ path: 'a.ts', base: '', text: 'typed' })
  await expect(openFork(app, { id: 'one', v2: true }, { ...options, edit })).rejects.toBe(full)
  expect(opened).toEqual([])
  expect(keptEdit(storage, 'copy').read()).toBeUndefined()
  expect(notices.all()).toMatchObject([
    { title: 'We could not fork it to your Drafts folder, because it is full', body: 'The original is as it was.' },
  ])
})

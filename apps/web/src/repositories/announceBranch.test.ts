import { NoticeStore } from '@boxyard/ui'
import { expect, it } from 'vitest'
import { announceBranch } from './announceBranch.ts'

const branch = { id: 'box', branch: 'ada/calm-river', owner: 'ada', repo: 'todo', workspaceId: 'w', imported: false }

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
}

it('explains the first branch that was made until the person has read it, and later ones shortly', () => {
  const store = storage()
  const first = new NoticeStore()
  announceBranch({ notices: first }, branch, { isNew: true }, store)
  expect(first.all()).toMatchObject([
    { title: 'Created new branch ada/calm-river', actions: [{ label: 'Learn more' }] },
  ])
  expect(first.all()[0]).not.toHaveProperty('timeout')
  const second = new NoticeStore({ after: () => () => undefined })
  announceBranch({ notices: second }, branch, { isNew: true }, store)
  expect(second.all()).toMatchObject([{ title: 'Created new branch ada/calm-river', timeout: 10_000 }])
})

it('AP942: says into which workspace a repository was imported, and nothing about a branch that was there', () => {
  const said = (workspaceName?: string) => {
    const notices = new NoticeStore({ after: () => () => undefined })
    announceBranch({ notices }, { ...branch, imported: true }, { isNew: false, workspaceName }, storage())
    return notices.all().map(({ title }) => title)
  }
  expect(said('Acme')).toEqual(['Imported repository ada/todo to Acme'])
  // Its name could not be found out.
  expect(said()).toEqual(['Imported repository ada/todo to your workspace'])
})

import { Emitter } from '@boxyard/dev-server-client'
import type { NotificationsArea } from '@boxyard/dev-server-client'
import { NoticeStore } from '@boxyard/ui'
import { expect, it } from 'vitest'
import { showNotifications } from './showNotifications.ts'

type Notification = Parameters<Parameters<NotificationsArea['onDidNotify']>[0]>[0]

it('shows what the dev server tells, answers with the choice, and takes it away when it is over', () => {
  const notify = new Emitter<Notification>()
  const dismiss = new Emitter<string>()
  const answers: unknown[] = []
  const respond = (...answer: unknown[]) => answers.push(answer)
  const notifications = { onDidNotify: notify.event, onDidDismiss: dismiss.event, respond }
  const notices = new NoticeStore()
  const showing = showNotifications({ notifications }, notices)

  notify.fire({ type: 'warning', notificationId: 'one', message: 'It was started again. Files are as they were.' })
  expect(notices.all()).toMatchObject([
    { tone: 'warning', title: 'It was started again.', body: 'Files are as they were.', actions: [] },
  ])
  expect(answers).toEqual([['one', null]])
  notify.fire({ type: 'info', notificationId: 'two', message: 'Go on?', actions: [{ label: 'Yes' }, { label: 'No' }] })
  dismiss.fire('one')
  expect(notices.all()).toMatchObject([{ title: 'Go on?', actions: [{ label: 'Yes' }, { label: 'No' }] }])
  expect(notices.all()[0]!).not.toHaveProperty('body')
  notices.all()[0]!.actions![1]!.perform()
  expect(answers.at(-1)).toEqual(['two', 'No'])
  expect(notices.all()).toEqual([])
  showing.dispose()
  notify.fire({ type: 'info', notificationId: 'three', message: 'Nobody looks' })
  expect(notices.all()).toEqual([])
})

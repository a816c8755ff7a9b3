import type { NoticeStore } from '@boxyard/ui'
import type { LivePermission } from './liveSession.ts'

/** Tells a guest what they may do from now on. The editor takes up new rights when its page is opened anew. */
export function tellGuest(notices: NoticeStore, permission: LivePermission): void {
  notices.dismiss('guest-permission')
  notices.add({
    uniqueName: 'guest-permission',
    tone: 'info',
    title: permission === 'WRITE' ? 'You may edit this devbox now' : 'You may only look at this devbox now',
    body: 'Reload the page to go on with that. What you wrote until now is saved.',
    actions: [{ label: 'Reload', perform: () => window.location.reload() }],
  })
}

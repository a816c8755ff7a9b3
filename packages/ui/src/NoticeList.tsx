import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from './Button.tsx'
import { classNames } from './classNames.ts'
import { IconButton } from './IconButton.tsx'
import type { NoticeStore, NoticeTone } from './NoticeStore.ts'

const tones: Record<NoticeTone, string> = {
  info: 'border-l-link',
  success: 'border-l-success',
  warning: 'border-l-warning',
  error: 'border-l-danger',
}

/** The notices in the corner of the page, above its side bar too, which lies over the page in a small window. They are read aloud as they come. */
export function NoticeList({ store }: { store: NoticeStore }) {
  const notices = useSyncExternalStore(store.subscribe, store.all, store.all)
  return (
    <section
      aria-label="Notices"
      aria-live="polite"
      className="pointer-events-none fixed right-0 bottom-[var(--notices-bottom,0px)] z-70 flex max-h-[calc(100dvh-var(--notices-bottom,0px))] max-w-full flex-col gap-2 overflow-y-auto p-3"
    >
      {notices.map((notice) => (
        <article
          key={notice.id}
          className={classNames(
            'animate-open pointer-events-auto flex min-h-[105px] w-[340px] max-w-full flex-col rounded-menu border border-l-3 border-line-strong bg-raised p-3 shadow-float',
            tones[notice.tone ?? 'info'],
          )}
        >
          <div className="flex items-start gap-2">
            <h2 className="min-w-0 flex-1 font-semibold">{notice.title}</h2>
            <IconButton label="Dismiss" size="small" className="-mt-1 -mr-1" onClick={() => store.dismiss(notice.id)}>
              <X aria-hidden size={16} strokeWidth={1.5} />
            </IconButton>
          </div>
          {notice.body && <p className="break-words text-quiet">{notice.body}</p>}
          {notice.actions && (
            <div className="mt-auto flex gap-2 pt-2">
              {notice.actions.map((action) => (
                <Button
                  key={action.label}
                  size="small"
                  onClick={() => {
                    store.dismiss(notice.id)
                    action.perform()
                  }}
                >
                  {action.label}
                </Button>
              ))}
            </div>
          )}
        </article>
      ))}
    </section>
  )
}

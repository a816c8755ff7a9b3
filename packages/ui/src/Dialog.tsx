import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './classNames.ts'
import { IconButton } from './IconButton.tsx'

const widths = { sm: 'max-w-[320px]', md: 'max-w-[500px]', lg: 'max-w-[760px]' }

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  width?: keyof typeof widths
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode
  /** False while closing would lose something: then only the content's own buttons close it. */
  dismissible?: boolean
  children: ReactNode
}

/** The first thing to do in a dialog is in its body, not its close button; while the body is empty the dialog itself has the focus. */
function focusBody(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  const first = event.currentTarget.querySelector<HTMLElement>(
    '[data-body] :is(input, textarea, select, button):enabled',
  )
  ;(first ?? event.currentTarget).focus()
}

export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, width = 'md', footer, dismissible = true, children } = props
  const keepOpen = (event: Event) => {
    if (!dismissible) event.preventDefault()
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <div className="pointer-events-none fixed inset-0 z-40 flex items-center justify-center p-3">
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            tabIndex={-1}
            onOpenAutoFocus={focusBody}
            onEscapeKeyDown={keepOpen}
            onPointerDownOutside={keepOpen}
            className={classNames(
              'animate-open pointer-events-auto flex outline-none max-h-full w-full flex-col overflow-hidden rounded-dialog border border-line-strong bg-panel text-text shadow-float',
              widths[width],
            )}
          >
            <header className="flex items-start gap-3 px-6 pt-5 pb-1">
              <div className="min-w-0 flex-1">
                <Radix.Title className="text-16 font-semibold">{title}</Radix.Title>
                {description && <Radix.Description className="mt-1 text-quiet">{description}</Radix.Description>}
              </div>
              {dismissible && (
                <Radix.Close asChild>
                  <IconButton label="Close" size="small" className="-mt-1 -mr-2">
                    <X aria-hidden size={16} strokeWidth={1.5} />
                  </IconButton>
                </Radix.Close>
              )}
            </header>
            <div data-body className="min-h-0 flex-1 overflow-y-auto px-6 pt-3 pb-6">
              {children}
            </div>
            {footer && <footer className="border-t border-line px-6 py-4">{footer}</footer>}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

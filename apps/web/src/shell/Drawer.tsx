import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

/** The side bar on narrow pages. */
export function Drawer(props: {
  open: boolean
  onOpenChange: (open: boolean) => void
  label: string
  children: ReactNode
}) {
  return (
    <Dialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-overlay" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 w-60 overflow-y-auto border-r border-line bg-panel text-text shadow-float"
        >
          <Dialog.Title className="sr-only">{props.label}</Dialog.Title>
          {props.children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

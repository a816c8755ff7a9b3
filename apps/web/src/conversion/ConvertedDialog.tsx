import { Button, Dialog } from '@boxyard/ui'

/** Tells whoever has a sandbox open that somebody else gave it a machine. */
export function ConvertedDialog({ onOpen, onClose }: { onOpen: () => void; onClose: () => void }) {
  return (
    <Dialog
      open
      width="sm"
      title="This sandbox is a devbox now"
      description="Somebody gave it a machine. Its files moved there, with what everybody had typed. What you change in this page from now on is not stored."
      onOpenChange={onClose}
    >
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Stay here
        </Button>
        <Button variant="primary" onClick={onOpen}>
          Open the devbox
        </Button>
      </div>
    </Dialog>
  )
}

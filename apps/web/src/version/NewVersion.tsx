import { Button, ErrorState } from '@boxyard/ui'

/** In place of an error that a page has since the server has a newer version. */
export function NewVersion() {
  return (
    <ErrorState
      title="A new version of Boxyard is there"
      safe="What was saved is safe, and what was typed is kept on this device."
      actions={
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      }
    >
      This page is of an older one, and a part of it could not be loaded.
    </ErrorState>
  )
}

import { Banner, Button } from '@boxyard/ui'

/** Says what the editor waits for before it opens, for who does not want to wait. */
export function ServerStartBanner({ onSkip }: { onSkip: () => void }) {
  return (
    <Banner
      tone="info"
      actions={
        <Button size="small" onClick={onSkip}>
          Skip
        </Button>
      }
    >
      Starting VS Code Server. The editor opens when it runs; skip it to open with web extensions alone.
    </Banner>
  )
}

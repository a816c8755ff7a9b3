import { Button, Tooltip } from '@boxyard/ui'
import { useEffect, useState } from 'react'
import { noRestart } from './EditorHeader.tsx'

/** Milliseconds that the button rests after a click. */
const rest = 5_000

export function RestartButton({ canRestart, onRestart }: { canRestart: boolean; onRestart: () => void }) {
  const [isResting, setResting] = useState(false)
  useEffect(() => {
    if (!isResting) return
    const timer = setTimeout(() => setResting(false), rest)
    return () => clearTimeout(timer)
  }, [isResting])
  if (!canRestart) {
    return (
      <Tooltip text={noRestart}>
        <Button aria-disabled>Restart microVM</Button>
      </Tooltip>
    )
  }
  return (
    <Button
      variant="primary"
      loading={isResting}
      onClick={() => {
        setResting(true)
        onRestart()
      }}
    >
      Restart microVM
    </Button>
  )
}

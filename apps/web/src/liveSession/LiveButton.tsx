import { Badge, IconButton, Tooltip } from '@boxyard/ui'
import { Radio } from 'lucide-react'
import type { LiveSession } from './liveSession.ts'

export interface LiveButtonProps {
  session: LiveSession | null
  /** Undefined for who may not start, change or end one. */
  onOpen: (() => void) | undefined
}

/** The place of the live session in the line above the editor: begins one, says that one runs. */
export function LiveButton({ session, onOpen }: LiveButtonProps) {
  const icon = <Radio aria-hidden size={16} strokeWidth={1.5} />
  if (!session) {
    return onOpen ? (
      <IconButton label="Live session" size="small" onClick={onOpen}>
        {icon}
      </IconButton>
    ) : null
  }
  const guests = session.guests.length === 1 ? '1 guest' : `${session.guests.length} guests`
  const words = onOpen ? `Live session, ${guests}` : `Live session of ${session.host?.username ?? 'somebody who left'}`
  return (
    <Tooltip text={words}>
      <button type="button" aria-label={words} className="rounded-control" disabled={!onOpen} onClick={onOpen}>
        <Badge tone="success">
          {icon}
          Live
        </Badge>
      </button>
    </Tooltip>
  )
}

import { mayDo } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator, IconButton } from '@boxyard/ui'
import {
  Copy,
  Cpu,
  Download,
  Ellipsis,
  Eye,
  FolderInput,
  LayoutTemplate,
  Pencil,
  RotateCcw,
  Snowflake,
  Trash2,
} from 'lucide-react'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { roleOf } from './roleOf.ts'
import type { SandboxAction } from './sandboxAction.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** What can be done with one sandbox; what the person may not do is not offered. */
export function SandboxMenu({ card, onAction }: { card: SandboxCard; onAction: (action: SandboxAction) => void }) {
  const may = (operation: SandboxOperation) => mayDo(roleOf(card), operation)
  return (
    <DropdownMenu
      align="end"
      trigger={
        <IconButton label={`More about ${titleOf(card)}`}>
          <Ellipsis {...icon} />
        </IconButton>
      }
    >
      {card.removedAt ? (
        <>
          <DropdownMenuItem icon={<RotateCcw {...icon} />} onSelect={() => onAction('restore')}>
            Restore
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem danger icon={<Trash2 {...icon} />} onSelect={() => onAction('deleteForever')}>
            Delete for ever
          </DropdownMenuItem>
        </>
      ) : (
        <>
          {may('rename') && (
            <DropdownMenuItem icon={<Pencil {...icon} />} onSelect={() => onAction('rename')}>
              Rename
            </DropdownMenuItem>
          )}
          <DropdownMenuItem icon={<Copy {...icon} />} onSelect={() => onAction('copyLink')}>
            Copy link
          </DropdownMenuItem>
          {may('export') && (
            <DropdownMenuItem icon={<Download {...icon} />} onSelect={() => onAction('export')}>
              Export as zip
            </DropdownMenuItem>
          )}
          {!card.isV2 && may('changeMachine') && (
            <DropdownMenuItem icon={<Cpu {...icon} />} onSelect={() => onAction('convert')}>
              Convert to devbox
            </DropdownMenuItem>
          )}
          {may('move') && (
            <DropdownMenuItem icon={<FolderInput {...icon} />} onSelect={() => onAction('move')}>
              Move
            </DropdownMenuItem>
          )}
          {may('changePrivacy') && (
            <DropdownMenuItem icon={<Eye {...icon} />} onSelect={() => onAction('privacy')}>
              Who can see it
            </DropdownMenuItem>
          )}
          {may('freeze') && (
            <DropdownMenuItem
              icon={<Snowflake {...icon} />}
              onSelect={() => onAction(card.isFrozen ? 'unfreeze' : 'freeze')}
            >
              {card.isFrozen ? 'Unfreeze' : 'Freeze'}
            </DropdownMenuItem>
          )}
          {may('makeTemplate') && (
            <DropdownMenuItem
              icon={<LayoutTemplate {...icon} />}
              onSelect={() => onAction(card.customTemplate ? 'unmakeTemplate' : 'makeTemplate')}
            >
              {card.customTemplate ? 'No longer a template' : 'Make a template'}
            </DropdownMenuItem>
          )}
          {may('delete') && (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuItem danger icon={<Trash2 {...icon} />} onSelect={() => onAction('delete')}>
                Delete
              </DropdownMenuItem>
            </>
          )}
        </>
      )}
    </DropdownMenu>
  )
}

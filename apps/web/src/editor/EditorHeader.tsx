import type { Client } from '@boxyard/protocol'
import {
  Badge,
  Button,
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  IconButton,
  StatusLamp,
  Tooltip,
} from '@boxyard/ui'
import type { LampTone } from '@boxyard/ui'
import {
  AppWindow,
  ArrowLeft,
  CodeXml,
  Cpu,
  Download,
  Ellipsis,
  Feather,
  GitFork,
  Link as LinkIcon,
  Maximize,
  Moon,
  RotateCw,
  Sun,
} from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { Isolation } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { barePath } from './barePage.ts'
import { LiveButton } from '../liveSession/LiveButton.tsx'
import type { LiveButtonProps } from '../liveSession/LiveButton.tsx'
import { isolationWords } from './boxWords.ts'
import { addressInMode, editorModeOf } from './editorMode.ts'
import { EditableTitle } from './EditableTitle.tsx'
import type { EditableTitleProps } from './EditableTitle.tsx'
import { FollowItems } from './FollowItems.tsx'
import { People } from './People.tsx'
import { peopleHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

export interface EditorHeaderProps {
  title: EditableTitleProps
  lamp: { tone: LampTone; words: string }
  /** How far what was typed is stored, in words; null before there is an editor. */
  saving: string | null
  isolation: Isolation | undefined
  readOnly: boolean
  /** Present for a visitor who could edit, or edit a copy, with an account. */
  onSignIn?: (() => void) | undefined
  clients: readonly Client[]
  selfId: string | undefined
  following: FollowChoice | null
  /** Undefined: guests are not let into it. */
  live?: LiveButtonProps | undefined
  onShare: () => void
  /** Saves all files as an archive. */
  onDownload: () => void
  /** Makes a copy. Undefined: the person may have none. */
  onFork?: (() => void) | undefined
  /** Undefined: it can't be shown in another page. */
  onEmbed?: (() => void) | undefined
  /** Undefined: it has a machine, or the person may not give it one. */
  onConvert?: (() => void) | undefined
  /** Undefined: there is nothing to restart. */
  onRestart: (() => void) | undefined
  /** Null: it has no machine. */
  canRestart: boolean | null
}

export const noRestart =
  'Restart is not available when you have read-only access. Please ask the project admin to restart it.'

/** The line above the workbench: what is open, how it is, who is here. */
export function EditorHeader(props: EditorHeaderProps) {
  const {
    title,
    lamp,
    saving,
    isolation,
    readOnly,
    clients,
    selfId,
    following,
    live,
    onShare,
    onDownload,
    onFork,
    onEmbed,
    onConvert,
    onRestart,
    canRestart,
    onSignIn,
  } = props
  const { theme } = useApp()
  const current = useSyncExternalStore(theme.subscribe, theme.current)
  const mode = editorModeOf(window.location)
  const people = peopleHere(clients, selfId, following?.clientId)
  const others = people.filter(({ isSelf }) => !isSelf)
  return (
    <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line bg-panel px-2">
      {/* The editor's services live as long as the page does, so leaving it is a new page. */}
      <Tooltip text="Back to the dashboard">
        <a
          href="/dashboard/recent"
          aria-label="Back to the dashboard"
          className="flex size-7 shrink-0 items-center justify-center rounded-control text-quiet hover:bg-hover hover:text-text pointer-coarse:size-10"
        >
          <ArrowLeft {...icon} />
        </a>
      </Tooltip>
      <EditableTitle {...title} />
      <div className="flex shrink-0 items-center gap-2 max-wide:ml-auto">
        {/* Of a small window the name needs the room: as long as all is well the light alone says so. */}
        <StatusLamp {...lamp} hideWords={lamp.tone === 'on' && 'small'} />
        {saving && (
          <span role="status" className="text-12 whitespace-nowrap text-quiet">
            {saving}
          </span>
        )}
      </div>
      <div className="hidden items-center gap-2 wide:flex">
        {readOnly && <Badge>Read-only</Badge>}
        {isolation && (
          <Tooltip text={isolationWords[isolation].long}>
            <button type="button" className="rounded-control">
              <Badge tone={isolation === 'none' ? 'warning' : 'neutral'}>{isolationWords[isolation].short}</Badge>
            </button>
          </Tooltip>
        )}
      </div>
      <div className="hidden flex-1 wide:block" />
      <div className="hidden wide:block">
        <People people={people} following={following} />
      </div>
      {onSignIn && (
        <Button variant="primary" size="small" onClick={onSignIn}>
          Sign in to edit
        </Button>
      )}
      {readOnly && onFork && (
        <Button variant="primary" size="small" onClick={onFork}>
          Fork
        </Button>
      )}
      {live && <LiveButton {...live} />}
      {onEmbed && (
        <IconButton label="Embed" size="small" onClick={onEmbed}>
          <CodeXml {...icon} />
        </IconButton>
      )}
      <IconButton label="Copy link" size="small" onClick={onShare}>
        <LinkIcon {...icon} />
      </IconButton>
      <DropdownMenu
        align="end"
        trigger={
          <IconButton label="More" size="small">
            <Ellipsis {...icon} />
          </IconButton>
        }
      >
        {others.length > 0 && (
          // Above the editor there is no room for their pictures.
          <div className="wide:hidden">
            <DropdownMenuLabel>People here</DropdownMenuLabel>
            <FollowItems people={others} following={following} />
            <DropdownMenuSeparator />
          </div>
        )}
        <DropdownMenuItem
          icon={current === 'dark' ? <Sun {...icon} /> : <Moon {...icon} />}
          onSelect={() => theme.toggle()}
        >
          {current === 'dark' ? 'Light theme' : 'Dark theme'}
        </DropdownMenuItem>
        <DropdownMenuItem
          icon={<Maximize {...icon} />}
          onSelect={() => window.open(barePath(window.location.pathname), '_blank', 'noopener')}
        >
          Open the editor alone
        </DropdownMenuItem>
        <DropdownMenuItem
          icon={mode === 'workbench' ? <Feather {...icon} /> : <AppWindow {...icon} />}
          onSelect={() =>
            window.location.assign(addressInMode(window.location, mode === 'workbench' ? 'integrated' : 'workbench'))
          }
        >
          {mode === 'workbench' ? 'Open the light editor' : 'Open the workbench'}
        </DropdownMenuItem>
        <DropdownMenuItem icon={<Download {...icon} />} onSelect={onDownload}>
          Download all files (zip)
        </DropdownMenuItem>
        {onFork && (
          <DropdownMenuItem icon={<GitFork {...icon} />} onSelect={onFork}>
            Fork
          </DropdownMenuItem>
        )}
        {onConvert && (
          <DropdownMenuItem icon={<Cpu {...icon} />} onSelect={onConvert}>
            Convert to devbox
          </DropdownMenuItem>
        )}
        {canRestart !== null && <DropdownMenuSeparator />}
        {canRestart !== null && (
          <DropdownMenuItem
            icon={<RotateCw {...icon} />}
            disabled={!canRestart || !onRestart}
            onSelect={() => onRestart?.()}
          >
            Restart microVM
          </DropdownMenuItem>
        )}
        {canRestart === false && <p className="max-w-60 px-2 pb-1 text-12 text-quiet">{noRestart}</p>}
      </DropdownMenu>
    </header>
  )
}

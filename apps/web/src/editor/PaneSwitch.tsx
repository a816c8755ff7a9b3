import type { Pane } from '@boxyard/workbench'
import { Code, Monitor, SquareTerminal } from 'lucide-react'

const panes = [
  { pane: 'code', name: 'Code', Icon: Code },
  { pane: 'preview', name: 'Preview', Icon: Monitor },
  { pane: 'terminal', name: 'Terminal', Icon: SquareTerminal },
] as const

export interface PaneSwitchProps {
  shown: Pane
  /** Whether the editor has terminals. */
  hasTerminal: boolean
  onChoose: (pane: Pane) => void
}

/** In a window with room for one pane: which one is in front. */
export function PaneSwitch({ shown, hasTerminal, onChoose }: PaneSwitchProps) {
  const offered = hasTerminal ? panes : panes.filter(({ pane }) => pane !== 'terminal')
  return (
    <nav aria-label="Panes" className="flex h-11 shrink-0 border-t border-line bg-panel wide:hidden">
      {offered.map(({ pane, name, Icon }) => (
        <button
          key={pane}
          type="button"
          aria-pressed={shown === pane}
          className="flex flex-1 items-center justify-center gap-2 text-quiet aria-pressed:text-text aria-pressed:shadow-[inset_0_2px_0_var(--color-accent)]"
          onClick={() => onChoose(pane)}
        >
          <Icon aria-hidden size={16} strokeWidth={1.5} />
          {name}
        </button>
      ))}
    </nav>
  )
}

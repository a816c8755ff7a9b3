import type { Event } from '@boxyard/dev-server-client'
import type { Pane } from '../index.ts'

/** What a small window shows one of at a time. */
export interface Panes {
  readonly onDidChangePane: Event<Pane>
  show(pane: Pane): void
  /** In a small window: what was in front stays there, whatever has opened meanwhile. */
  keep(): void
}

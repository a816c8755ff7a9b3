import type { FirstText } from '@boxyard/workbench'

/** What the first script of an editor page leaves for the app that follows. Reached through the window, so that neither loads the other. */
export interface FirstTextOfPage {
  /** Shows the beginning of a box's editor, once a page; nothing when the box does not run or there is no such file. */
  show(id: string, file: string | undefined): Promise<void>
  readonly view: FirstText | undefined
  /** The editor opens without a first text: one that arrives from now on would lie over it, and nobody would take it away. */
  giveUp(): void
  /** Resolves when the scripts of the editor are in the page, or it is up to whoever imports them. */
  readonly scripts: Promise<void>
}

declare global {
  interface Window {
    boxyardFirstText?: FirstTextOfPage
  }
}

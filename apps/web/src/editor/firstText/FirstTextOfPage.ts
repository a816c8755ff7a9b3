import type { FirstText } from '@boxyard/workbench'

/** What the first script of an editor page leaves for the app that follows. Reached through the window, so that neither loads the other. */
export interface FirstTextOfPage {
  /** Shows the beginning of a box's editor, once a page; nothing when the box does not run or there is no such file. */
  show(id: string, file: string | undefined): Promise<void>
  readonly view: FirstText | undefined
  /**
   * Something else is shown from now on: takes the first text away, and one that arrives later does not lie over the page.
   * What was typed into it is kept in the tab.
   */
  giveUp(): void
  /** Resolves when the scripts of the editor are in the page, or it is up to whoever imports them. */
  readonly scripts: Promise<void>
}

declare global {
  interface Window {
    boxyardFirstText?: FirstTextOfPage
  }
}

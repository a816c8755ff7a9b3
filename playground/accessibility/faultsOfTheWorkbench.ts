import type { KnownFault } from '../support/axeFaults.ts'

const LISTS = 'lists of VS Code tell selection, level and position whatever the role of their rows is'
const BUTTONS_INSIDE = 'widgets of VS Code hold buttons of their own, which keys reach by commands'
const MORE_THAN_NAMES = 'widgets of VS Code are called by more words, or other ones, than they show'
const NAMED_WITHOUT_ROLE = 'VS Code names an element that has no role'

/** What axe finds in widgets of VS Code, which we can't change. */
export const faultsOfTheWorkbench: readonly KnownFault[] = [
  { rule: 'aria-allowed-attr', selector: '.monaco-list, .monaco-list-row', reason: LISTS },
  { rule: 'aria-required-children', selector: '.notifications-center .monaco-list', reason: LISTS },
  { rule: 'nested-interactive', selector: '.tabs-container > .tab', reason: BUTTONS_INSIDE },
  { rule: 'nested-interactive', selector: '.pane-header', reason: BUTTONS_INSIDE },
  { rule: 'nested-interactive', selector: '.quick-input-list .monaco-list-row', reason: BUTTONS_INSIDE },
  { rule: 'label-content-name-mismatch', selector: '.statusbar-item-label', reason: MORE_THAN_NAMES },
  { rule: 'label-content-name-mismatch', selector: '.monaco-list-row', reason: MORE_THAN_NAMES },
  { rule: 'label-content-name-mismatch', selector: '.extensions-viewlet .pane-header', reason: MORE_THAN_NAMES },
  { rule: 'aria-prohibited-attr', selector: '.actions-container', reason: NAMED_WITHOUT_ROLE },
  { rule: 'aria-prohibited-attr', selector: '#markers-panel-arialabel', reason: NAMED_WITHOUT_ROLE },
  { rule: 'aria-prohibited-attr', selector: '.monaco-keybinding', reason: NAMED_WITHOUT_ROLE },
  { rule: 'aria-prohibited-attr', selector: '.dialog-icon', reason: NAMED_WITHOUT_ROLE },
  { rule: 'aria-prohibited-attr', selector: '.editor-instance', reason: NAMED_WITHOUT_ROLE },
  { rule: 'link-in-text-block', selector: '.settings-editor a', reason: 'VS Code underlines links when that is set' },
  // Radix marks what it hides behind a menu or dialog, which keeps the focus.
  {
    rule: 'aria-hidden-focus',
    selector: '[data-aria-hidden="true"]',
    reason: 'nothing behind an open menu takes the focus',
  },
]

/** Windows that have room for one pane. */
export const NARROW = '(max-width: 835px)'

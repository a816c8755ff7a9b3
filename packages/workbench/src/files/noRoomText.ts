/** What happened, what is safe and what to do when the disk of the box is full. */
export const NO_ROOM_TEXT =
  'The disk of this devbox is full. What was saved is safe, and what you type stays in this page: keep it open. ' +
  'Remove files that are not needed, for example in a terminal, then save again.'

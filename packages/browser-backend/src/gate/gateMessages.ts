// What the page of a gate and the service worker beside it say to each other.

/** The worker has no line to the server. */
export const WANTS_LINE = 'boxyard:wants-line'
/** Here is one. */
export const GATE_LINE = 'boxyard:line'
/** A page wants a line of its own, through the port that comes along. */
export const WANTS_SOCKET = 'boxyard:wants-socket'
/** Who was at the other end is gone. */
export const GATE_RESET = 'boxyard:reset'

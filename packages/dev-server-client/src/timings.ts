/** Every time of the client, in milliseconds. */
export const timings = {
  request: 90_000,
  /** A language server may first read a whole project. */
  languageRequest: 600_000,
  /** The first join waits for the set-up of the machine. */
  join: 3_600_000,
  connectTry: 90_000,
  reconnectTry: 10_000,
  betweenTries: 500,
  pongBeforeJoin: 20_000,
  pongAfterJoin: 15_000,
  /** A ping is sent after the pong time-out plus this margin without a frame. */
  pingMargin: 2_000,
  focusPong: 5_000,
  /** Between two tries to send an edit that the disk had no room for. */
  noRoom: 5_000,
  fileClose: 1_000,
  metrics: 5_000,
  waitForPort: 5_000,
  waitForConfiguration: 5_000,
} as const

/** Requests that wait for a connection. A page that asks for more than this while it has none does so in a loop. */
export const MAX_QUEUED = 1_000

/** Tries of one connect or reconnect. */
export const TRIES = 3

/**
 * What the inside of every box looks like, whichever driver runs it. The dev server relies on it.
 *
 * `workspace`, `home` and `state` live on the box's disk and are forked with it; `run` is a folder shared with the host that is
 * empty at every start.
 */
export const boxPaths = {
  workspace: '/project/workspace',
  home: '/home/boxyard',
  /** Journal, scrollback and set-up state of the dev server. */
  state: '/var/lib/boxyard',
  run: '/run/boxyard',
  /** The dev server's HTTP and WebSocket socket. */
  devServerSocket: '/run/boxyard/dev-server.sock',
  /** The host's egress proxy, an HTTP proxy on a unix socket. Missing when the box has no network. */
  egressSocket: '/run/boxyard/egress.sock',
  /** The program of the dev server, read-only. */
  devServer: '/opt/boxyard/dev-server/main.js',
  /** A folder for each dev server that came after the start of the box, read-only, named after its content. */
  updates: '/opt/boxyard/updates',
  /** Programs that all boxes share, read-only. What comes while a box runs is seen in it. */
  shared: '/opt/boxyard/shared',
  node: '/opt/boxyard/node/bin/node',
} as const

/** The user that everything in a box runs as. */
export const boxUser = { name: 'boxyard', uid: 1000, gid: 1000 } as const

/** Inside the box the egress proxy is reached over TCP at this port; the dev server relays it to the unix socket. */
export const EGRESS_RELAY_PORT = 16_380

/**
 * Environment of the dev server, next to PATH, HOME, LANG and what StartOptions.env adds:
 * BOXYARD_BOX_ID, BOXYARD_EPOCH, BOXYARD_BOOT (CLEAN, RESUME or FORK), and the three folders and two sockets above under
 * BOXYARD_WORKSPACE, BOXYARD_STATE, BOXYARD_SOCKET, BOXYARD_EGRESS_SOCKET. The platform adds BOXYARD_PUBLIC_KEY (a JWK as JSON
 * that verifies box tokens) and BOXYARD_PREVIEW_HOST (for example `{id}-{port}.preview.boxyard.localhost:4100`).
 * With BOXYARD_START_TASKS=no no task starts by itself: a box that is only set up, to be sealed, keeps what its set-up wrote and no more.
 */
export interface DevServerEnvironment {
  BOXYARD_BOX_ID: string
  BOXYARD_EPOCH: string
  BOXYARD_BOOT: string
  /** How often a dev server of this run has ended without having been asked to, from the first time on; BOXYARD_BOOT is RESUME then. */
  BOXYARD_ENDS?: string
  BOXYARD_WORKSPACE: string
  BOXYARD_STATE: string
  BOXYARD_SOCKET: string
  BOXYARD_EGRESS_SOCKET?: string
  BOXYARD_PUBLIC_KEY: string
  BOXYARD_PREVIEW_HOST: string
  /** Only from one dev server to the one that it makes way for. */
  BOXYARD_SUCCEEDS?: 'yes'
  /** `yes` unless given. */
  BOXYARD_START_TASKS?: 'yes' | 'no'
}

/** How a start of the VS Code server went. */
export type VsCodeServerStart =
  | {
      result: 'running'
      /** In the box. */
      port: number
      /** What the server asks of who connects. */
      token: string
      /** The version that the editor has to say it is. */
      commit: string
    }
  | { result: 'cancelled' }
  | { result: 'error'; error: string }

/** A start that the editor waits for before it opens. */
export interface PendingServerStart {
  /** The editor opens in the browser alone. */
  skip(): void
}

/** The VS Code server of a box, for who may run programs there. */
export interface VsCodeServerPlace {
  /** What the person chose for this box in this browser. */
  isWanted(): boolean
  setWanted(isWanted: boolean): void
  /** Starts it in the box unless it runs; the first start of an installation fetches it. */
  start(): Promise<VsCodeServerStart>
}

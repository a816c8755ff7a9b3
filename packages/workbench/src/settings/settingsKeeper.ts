/** Settings as they are kept, and what tells this state of them from others. */
export interface KeptSettings {
  text: string
  version: string
}

/** Where the settings of a person are kept, outside of the browser. */
export interface SettingsKeeper {
  /** Whose they are: settings of several people in one browser are kept apart. */
  readonly owner: string
  /** Null when nothing was kept so far. */
  load(): Promise<KeptSettings | null>
  /** Keeps them when what is kept still has this version (null: nothing is). False when it has not; nothing has changed then. */
  store(text: string, version: string | null): Promise<boolean>
}

/** What an event is about: the addresses that listeners wait at. */
export const subjectOf = {
  sandbox: (id: string) => `sandbox:${id}`,
  team: (id: string) => `team:${id}`,
  user: (id: string) => `user:${id}`,
  machine: (id: string) => `machine:${id}`,
  repository: (owner: string, name: string) => `repository:${owner.toLowerCase()}/${name.toLowerCase()}`,
} as const

/** Something that happened, as everyone who waits for its type and subject is told. `data` went through JSON. */
export interface PlatformEvent {
  id: number
  type: string
  subject: string
  data: unknown
}

/** Says that rights changed, so that whoever lost them is cut off at once. Its subject is whose rights, or the rights on what. */
export const ACCESS_CHANGED = 'accessChanged'

/** Takes every event of the platform, also those of other server processes. */
export type EventHandler = (event: PlatformEvent) => Promise<void>

/** The commands that make a dev container, in the order of the standard. */
export const DEV_CONTAINER_COMMANDS = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand'] as const
/** The step that says what a box does without. */
export const DEV_CONTAINER_STEP = 'Dev container'
/** What the name of a step that installs a feature begins with. */
export const FEATURE_STEP = 'Feature '

/** The terminal in which a dev container is made. */
export const DEV_CONTAINER_LOG_SIZE = { cols: 80, rows: 24 } as const

/** Whether a step of the set-up makes the dev container. The protocol has no mark for it but the name. */
export function isDevContainerStep(name: string): boolean {
  return (
    name === DEV_CONTAINER_STEP ||
    name.startsWith(FEATURE_STEP) ||
    DEV_CONTAINER_COMMANDS.some((command) => command === name)
  )
}

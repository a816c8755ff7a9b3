/** Tells our program before npm the path of the egress socket; shells have it in their environment. */
export const EGRESS_VARIABLE = 'BOXYARD_INSTALL_SOCKET'
/** The same for the workspace. */
export const WORKSPACE_VARIABLE = 'BOXYARD_INSTALL_WORKSPACE'

/** The commands of the VS Code server, as buttons name them. */
export const ENABLE_VS_CODE_SERVER = 'boxyard.vscode.enable'
export const DISABLE_VS_CODE_SERVER = 'boxyard.vscode.disable'

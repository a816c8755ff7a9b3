// The heavy half of the editor page, in a chunk of its own: loaded while the machine starts.
export { startSandboxBackend } from '@boxyard/browser-backend'
export { DevServerClient, WorkspaceFrozenError } from '@boxyard/dev-server-client'
export {
  canMoveFrames,
  loadLightEditor,
  loadWorkbench,
  openLightEditor,
  openWorkbench,
  showEarlyPreview,
} from '@boxyard/workbench'

export { PREVIEW_PORT } from './common/previewPort.ts'
export type { Person } from './backend/sandboxServer.ts'
export { BackendError, startSandboxBackend } from './startSandboxBackend.ts'
export type { SandboxBackend, SandboxBackendOptions } from './startSandboxBackend.ts'

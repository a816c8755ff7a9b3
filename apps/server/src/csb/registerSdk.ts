import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import type { MachineService } from '../machines/machineService.ts'
import type { TemplateCatalogue } from '../sandboxes/index.ts'
import { registerHostTokens } from './hostTokenRoutes.ts'
import { registerSdkSandboxes } from './sandboxRoutes.ts'
import { sdkAuthorization } from './sdkCaller.ts'
import type { SdkAuthorization } from './sdkCaller.ts'
import { registerSdkTemplates } from './templateRoutes.ts'
import { registerVms } from './vmRoutes.ts'
import { registerSdkWorkspaces } from './workspaceRoutes.ts'

/** What the routes of the SDK's API share. */
export interface SdkParts {
  context: ServerContext
  authorization: SdkAuthorization
  machines: MachineService
  templates: TemplateCatalogue
}

/** The REST API that `@codesandbox/sdk` and its `csb` command call, below `/csb/sdk`. The rules are in SPEC.md. */
export function registerSdk(
  app: App,
  context: ServerContext,
  { machines, templates }: { machines: MachineService; templates: TemplateCatalogue },
): void {
  const parts: SdkParts = { context, authorization: sdkAuthorization(app, context), machines, templates }
  registerSdkWorkspaces(app, parts)
  registerSdkSandboxes(app, parts)
  registerHostTokens(app, parts)
  registerSdkTemplates(app, parts)
  registerVms(app, parts)
}

import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { ReviewService } from '../reviews/reviewService.ts'
import { registerReviewRoutes } from '../reviews/routes.ts'
import { registerWebhooks, WEBHOOK_PATH, webhookSecrets } from '../reviews/webhooks.ts'
import type { MachineDirectory } from '../sandboxes/machineDirectory.ts'
import { join } from 'node:path'
import { registerConnectRoutes } from './connectRoutes.ts'
import { GitHosts } from './gitHosts.ts'
import { registerNewRepository } from './newRepositoryRoute.ts'
import { RepositoryService } from './repositoryService.ts'
import { registerOlderRoutes } from './olderRoutes.ts'
import { registerProjectRoutes } from './projectRoutes.ts'
import { registerRoutes } from './routes.ts'
import { SandboxGit } from './sandboxGit.ts'

/** Repositories of the git host, their branches and pull requests. */
export function registerRepositories(app: App, context: ServerContext, machines: MachineDirectory | null) {
  const hosts = new GitHosts(app, context)
  const secretOf = webhookSecrets(join(context.configuration.home, 'keys'))
  const webhook = { url: `${context.configuration.appOrigin}${WEBHOOK_PATH}`, secretOf }
  const repositories = new RepositoryService({ context, hosts, machines, webhook })
  const reviews = new ReviewService(context, hosts)
  const sandboxGit = new SandboxGit(context, hosts)
  registerConnectRoutes(app, context, hosts)
  registerRoutes(app, context, repositories)
  registerNewRepository(app, context, { hosts, sandboxGit })
  registerOlderRoutes(app, context, repositories)
  registerProjectRoutes(app, context, { repositories, machines })
  registerReviewRoutes(app, reviews)
  registerWebhooks(app, context, { hosts, reviews, secretOf })
  return { repositories, reviews, sandboxGit }
}

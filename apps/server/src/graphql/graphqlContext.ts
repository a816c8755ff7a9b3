import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { RepositoryService } from '../repositories/repositoryService.ts'
import type { ReviewService } from '../reviews/reviewService.ts'
import type { Database } from '../database/database.ts'
import type { MachineDirectory } from '../sandboxes/machineDirectory.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'

/** What every request of the query API shares. */
export interface GraphqlServices {
  server: ServerContext
  templates: TemplateCatalogue
  /** Null where nothing can run devboxes. */
  machines: MachineDirectory | null
  repositories: RepositoryService
  reviews: ReviewService
}

/** What resolvers are given. One per request: loaders (see `defineLoader`) keep what they found as long as it lives. */
export interface GraphqlContext extends GraphqlServices {
  database: Database
  /** Who asks, or null for a visitor. */
  user: User | null
  /** Rows of people that were loaded for this request. They are what a statement would bring now, whoever asks. */
  peopleAtHand: readonly User[]
}

export function createGraphqlContext(services: GraphqlServices, user: User | null): GraphqlContext {
  return { ...services, database: services.server.database, user, peopleAtHand: user ? [user] : [] }
}

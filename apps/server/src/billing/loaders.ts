import { inArray } from 'drizzle-orm'
import { subscriptions } from '../database/schema.ts'
import { defineRowLoader } from '../graphql/loader.ts'

export const subscriptionLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(subscriptions)
    .where(inArray(subscriptions.id, [...ids])),
)

import { boolean, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'
import { teams } from './workspaces.ts'

export const featureFlags = pgTable('feature_flags', {
  name: text('name').primaryKey(),
  description: text('description').notNull(),
  /** For everyone who has no row of their own. */
  enabled: boolean('enabled').notNull().default(false),
  updatedAt: updatedAt(),
})

export const userFeatureFlags = pgTable(
  'user_feature_flags',
  {
    name: text('name')
      .notNull()
      .references(() => featureFlags.name, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    enabled: boolean('enabled').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
)

export const teamFeatureFlags = pgTable(
  'team_feature_flags',
  {
    name: text('name')
      .notNull()
      .references(() => featureFlags.name, { onDelete: 'cascade' }),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    enabled: boolean('enabled').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.name] })],
)

export const badges = pgTable('badges', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  insertedAt: insertedAt(),
})

export const userBadges = pgTable(
  'user_badges',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    badgeId: text('badge_id')
      .notNull()
      .references(() => badges.id, { onDelete: 'cascade' }),
    visible: boolean('visible').notNull().default(true),
    insertedAt: insertedAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.badgeId] })],
)

export const surveyAnswers = pgTable('survey_answers', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  answers: jsonb('answers').$type<Record<string, unknown>>().notNull(),
  insertedAt: insertedAt(),
})

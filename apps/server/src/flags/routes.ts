import { dataOf, installationPolicies, installationRoleOf, noContent } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import {
  answerSurvey,
  giveBadge,
  markSurveySeen,
  setBadgeVisible,
  setCurator,
  setExperiments,
  setFlag,
  userFlags,
} from './flags.ts'

const flagName = z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,63}$/, 'A flag is named in camelCase.')
const surveyBody = z
  .record(
    z.string().max(100),
    z.union([z.string().max(5000), z.number(), z.boolean(), z.array(z.string().max(1000)).max(50)]),
  )
  .refine((answers) => Object.keys(answers).length <= 50, 'At most 50 answers.')

/** Feature flags, badges, surveys, experiments and curators. */
export function registerFlags(app: App, { database }: ServerContext): void {
  const { required } = app.authenticate

  for (const current of ['/api/v1/users/current', '/api/v1/users/current_user']) {
    app.get(
      `${current}/feature_flags`,
      { onRequest: required, schema: { response: { 200: dataOf(z.record(z.string(), z.boolean())) } } },
      async (request) => {
        const { id } = userOf(request)
        return { data: (await userFlags(database, [id])).get(id)! }
      },
    )

    app.patch(
      `${current}/badges/:id`,
      {
        onRequest: required,
        schema: {
          params: z.object({ id: z.string().min(1).max(100) }),
          body: z.object({ badge: z.object({ visible: z.boolean() }) }),
          response: noContent,
        },
      },
      async (request, reply) => {
        const user = userOf(request)
        const { params, body } = request
        await inTransaction(database, user, (work) => setBadgeVisible(work, user, params.id, body.badge.visible))
        return reply.code(204).send()
      },
    )
  }

  app.post(
    '/api/v1/users/survey-seen',
    { onRequest: required, schema: { response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      await inTransaction(database, user, (work) => markSurveySeen(work, user))
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/v1/users/survey-answered',
    { onRequest: required, schema: { body: surveyBody, response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      await inTransaction(database, user, (work) => answerSurvey(work, user, request.body))
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/v1/users/experiments',
    {
      onRequest: required,
      schema: { body: z.object({ experiments: z.record(flagName, z.boolean()) }), response: noContent },
    },
    async (request, reply) => {
      const user = userOf(request)
      await inTransaction(database, user, (work) => setExperiments(work, user, request.body.experiments))
      return reply.code(204).send()
    },
  )

  for (const [method, isCurator] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/users/curators/:id',
      onRequest: required,
      schema: { params: z.object({ id: z.uuid() }), response: noContent },
      handler: async (request, reply) => {
        const user = userOf(request)
        const { id } = request.params as { id: string }
        await inTransaction(database, user, (work) => setCurator(work, user, id, isCurator))
        return reply.code(204).send()
      },
    })
  }

  app.put(
    '/api/v1/admin/feature_flags/:name',
    {
      onRequest: required,
      schema: {
        params: z.object({ name: flagName }),
        body: z.object({
          enabled: z.boolean(),
          description: z.string().max(500).optional(),
          user_id: z.uuid().optional(),
          team_id: z.uuid().optional(),
        }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const user = userOf(request)
      installationPolicies.authorize(installationRoleOf(user), 'changeFeatureFlags')
      const { enabled, description, user_id: userId, team_id: teamId } = request.body
      const change = { name: request.params.name, enabled, description, userId, teamId }
      await inTransaction(database, user, (work) => setFlag(work, user, change))
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/v1/admin/badges',
    {
      onRequest: required,
      schema: {
        body: z.object({
          id: z.string().regex(/^[a-z0-9_-]{1,100}$/, 'An id has small letters, digits, dashes and underscores.'),
          name: z.string().trim().min(1).max(100),
          user_id: z.uuid(),
        }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const user = userOf(request)
      const { id, name, user_id: userId } = request.body
      await inTransaction(database, user, (work) => giveBadge(work, user, { id, name, userId }))
      return reply.code(204).send()
    },
  )
}

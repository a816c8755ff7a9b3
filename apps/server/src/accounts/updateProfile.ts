import { ApiError, usernameSchema } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import { users } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { User } from './users.ts'

export const profileSchema = z.object({
  username: usernameSchema,
  name: z.string().trim().max(100, 'At most 100 characters.').nullish(),
  bio: z.string().trim().max(500, 'At most 500 characters.').nullish(),
  socialLinks: z
    .array(z.url({ protocol: /^https?$/, error: 'Use web addresses.' }).max(200))
    .max(5, 'At most 5 links.')
    .nullish(),
})
export type Profile = z.infer<typeof profileSchema>

/** Changes what others see of someone. What is absent stays as it is. */
export async function updateProfile(
  work: Work,
  user: User,
  { username, name, bio, socialLinks }: Profile,
): Promise<User> {
  try {
    const [updated] = await work.tx
      .update(users)
      .set({ username, name, bio, ...(socialLinks ? { socialLinks } : {}), updatedAt: new Date() })
      .where(eq(users.id, user.id))
      .returning()
    return updated!
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    throw new ApiError('USERNAME_TAKEN', { cause: error, fields: { username: ['This username is taken.'] } })
  }
}

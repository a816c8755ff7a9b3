import { z } from 'zod'

/** A name of something at a git host, before anybody knows whether it exists: short, and without what no address can hold. */
export const nameText = z
  .string()
  .min(1)
  .max(250)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'This is no name')

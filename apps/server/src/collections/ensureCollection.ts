import { randomUUID } from 'node:crypto'
import type { Transaction } from '../database/database.ts'
import { collections } from '../database/schema.ts'
import { ancestorsOf } from './collectionPath.ts'
import { findCollection } from './collections.ts'
import type { Collection } from './collections.ts'

/** The folder at a path, made with the folders above it where they are missing. */
export async function ensureCollection(tx: Transaction, teamId: string, path: string): Promise<Collection> {
  const missing = [...ancestorsOf(path), path].map((each) => ({ id: randomUUID(), teamId, path: each }))
  await tx.insert(collections).values(missing).onConflictDoNothing()
  return (await findCollection(tx, teamId, path))!
}

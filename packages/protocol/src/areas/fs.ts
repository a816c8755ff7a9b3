import { z } from 'zod'
import { method } from '../method.ts'
import { NODE_DIRECTORY, NODE_FILE } from './nodeTypes.ts'

const id = z.string().min(1).max(200)
const path = z
  .string()
  .max(4096)
  .refine((value) => !value.includes('\0'), 'must not contain NUL')
/** A name of one tree entry: never a path, never `.` or `..`. */
const entryName = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => !/[/\0]/.test(value) && value !== '.' && value !== '..', 'must be a plain file name')
const nodeType = z.union([z.literal(NODE_FILE), z.literal(NODE_DIRECTORY)])
const bytes = z.instanceof(Uint8Array)

/** A node of the file tree. The root has id "0", type 1 and neither name nor parent. */
export const treeNodeSchema = z.object({ id, type: nodeType, name: z.string().optional(), parentId: id.optional() })
export type TreeNode = z.infer<typeof treeNodeSchema>

export const treeOperationSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('create'), parentId: id, newEntry: z.object({ id, type: nodeType, name: entryName }) }),
  z.object({ type: z.literal('delete'), id }),
  z.object({ type: z.literal('move'), id, parentId: id.optional(), name: entryName.optional() }),
])
export type TreeOperation = z.infer<typeof treeOperationSchema>

/** `start` and `end` are UTF-8 byte offsets within the line. */
const subMatch = z.object({ match: z.object({ text: z.string() }), start: z.number().int(), end: z.number().int() })
export const searchResultSchema = z.object({
  fileId: z.string(),
  lines: z.object({ text: z.string() }),
  lineNumber: z.number().int(),
  absoluteOffset: z.number().int(),
  submatches: z.array(subMatch),
})
export type SearchResult = z.infer<typeof searchResultSchema>
export const streamingSearchResultSchema = searchResultSchema.extend({
  fileId: z.string().optional(),
  filepath: z.string(),
})
export type StreamingSearchResult = z.infer<typeof streamingSearchResultSchema>

const searchParams = z.object({
  text: z.string().max(10_000),
  glob: z.string().max(1000).optional(),
  isRegex: z.boolean().optional(),
  caseSensitivity: z.enum(['smart', 'enabled', 'disabled']).optional(),
})

/** Times are in milliseconds since the epoch. */
const statSchema = z.object({
  type: nodeType,
  isSymlink: z.boolean(),
  size: z.number(),
  mtime: z.number(),
  ctime: z.number(),
  atime: z.number(),
})

export const fsMethods = {
  'fs/read': method(z.unknown(), z.object({ treeNodes: z.array(treeNodeSchema), clock: z.number().int() }), 'fs.read'),
  'fs/operation': method(
    z.object({ operation: treeOperationSchema }),
    z.union([z.object({ code: z.literal(0), clock: z.number().int() }), z.object({ code: z.literal(1) })]),
    'fs.operation',
  ),
  'fs/search': method(searchParams, z.array(searchResultSchema), 'fs.search'),
  'fs/streamingSearch': method(
    searchParams.extend({ searchId: id, maxResults: z.number().int().positive().max(100_000).optional() }),
    z.object({ searchId: id }),
    'fs.search',
  ),
  'fs/cancelStreamingSearch': method(z.object({ searchId: id }), z.object({ searchId: id }), 'fs.search'),
  'fs/pathSearch': method(
    z.object({ text: z.string().max(1000) }),
    z.object({ matches: z.array(z.object({ path: z.string(), submatches: z.array(subMatch) })) }),
    'fs.pathSearch',
  ),
  'fs/upload': method(
    z.object({ parentId: id, filename: entryName, content: bytes }),
    z.object({ fileId: id }),
    'fs.upload',
  ),
  'fs/download': method(
    z.object({ path: path.optional(), excludes: z.array(z.string().max(1000)).max(100).optional() }),
    z.object({ downloadUrl: z.string() }),
    'fs.download',
  ),
  'fs/readFile': method(z.object({ path }), z.object({ content: bytes }), 'fs.read'),
  'fs/readdir': method(
    z.object({ path }),
    z.object({ entries: z.array(z.object({ name: z.string(), type: nodeType, isSymlink: z.boolean() })) }),
    'fs.read',
  ),
  'fs/writeFile': method(
    z.object({ path, content: bytes, create: z.boolean().optional(), overwrite: z.boolean().optional() }),
    z.object({}),
    'fs.operation',
  ),
  'fs/stat': method(z.object({ path }), statSchema, 'fs.read'),
  'fs/copy': method(
    z.object({ from: path, to: path, recursive: z.boolean().optional(), overwrite: z.boolean().optional() }),
    z.object({}),
    'fs.operation',
  ),
  'fs/rename': method(
    z.object({ from: path, to: path, overwrite: z.boolean().optional() }),
    z.object({}),
    'fs.operation',
  ),
  'fs/remove': method(z.object({ path, recursive: z.boolean().optional() }), z.object({}), 'fs.operation'),
  'fs/mkdir': method(z.object({ path, recursive: z.boolean().optional() }), z.object({}), 'fs.operation'),
  'fs/watch': method(
    z.object({ path, recursive: z.boolean().optional(), excludes: z.array(z.string().max(1000)).max(1000).optional() }),
    z.object({ watchId: id }),
    'fs.read',
  ),
  'fs/unwatch': method(z.object({ watchId: id }), z.object({}), 'fs.read'),
}

export const fsNotifications = {
  'fs/operations': z.object({
    operations: z.array(z.object({ operation: treeOperationSchema, clock: z.number().int() })),
  }),
  'fs/watchEvent': z.object({
    watchId: id,
    events: z.array(z.object({ type: z.enum(['add', 'change', 'remove']), paths: z.array(z.string()) })),
  }),
  'fs/searchMatches': z.object({ searchId: id, matches: z.array(streamingSearchResultSchema) }),
  'fs/searchFinished': z.object({ searchId: id, hitLimit: z.boolean() }),
}

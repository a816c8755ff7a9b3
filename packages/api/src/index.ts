export * from './errors.ts'
export * from './policies.ts'
export * from './sandboxes.ts'
export * from './users.ts'

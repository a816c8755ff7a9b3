export * from './area.ts'
export * from './configuration.ts'

export * from './boxContract.ts'
export * from './driver.ts'
export * from './errors.ts'

export * from './boxContract.ts'
export * from './bwrap/createBwrapDriver.ts'
export * from './driver.ts'
export * from './errors.ts'

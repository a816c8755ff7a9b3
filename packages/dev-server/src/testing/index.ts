export * from './killedBox.ts'

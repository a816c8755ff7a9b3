import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Node takes the CommonJS build of graphql, Vite would take the other one; two copies refuse each other's types.
const resolve = { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] }

/** What is polled for has as long as everything else that a test waits for: a busy machine takes more than Vitest's second. */
const expectPatiently = { poll: { timeout: 60_000 } }

/**
 * Three kinds of test, told apart by file name:
 * - `*.test.ts`: unit. Pure code in one thread pool without isolation: no globals, no module mocks, no processes.
 * - `*.integration.test.ts`: real PostgreSQL, git, bubblewrap, sockets. One process a file.
 * - `*.e2e.test.ts`: a real server and a real Chromium. One at a time.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['{packages,apps,bench,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts', '**/*.e2e.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['{packages,apps,playground}/**/*.integration.test.ts'],
          globalSetup: ['apps/server/src/testing/globalSetup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          expect: expectPatiently,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['{apps,packages,playground}/**/*.e2e.test.ts'],
          pool: 'forks',
          maxWorkers: 1,
          fileParallelism: false,
          expect: expectPatiently,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})

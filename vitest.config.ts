import { defineConfig } from 'vitest/config'

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
        test: {
          name: 'unit',
          include: ['{packages,apps,bench,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts', '**/*.e2e.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{packages,apps}/**/*.integration.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['{apps,packages,playground}/**/*.e2e.test.ts'],
          pool: 'forks',
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})

import { describe, expect, it } from 'vitest'
import { inferTasks } from './inferTasks.ts'

const scripts = { dev: 'vite', start: 'node .', prebuild: 'x', install: 'y', build: 'z', 'a; rm -rf /': 'no' }

describe('inferred tasks', () => {
  it('TA13: the scripts become tasks, the first that serves runs at the start', () => {
    expect(inferTasks(JSON.stringify({ scripts }), new Set(['package.json']))).toEqual({
      setupTasks: [{ name: 'Install dependencies', command: 'npm install' }],
      tasks: {
        dev: { name: 'dev', command: 'npm run dev', runAtStart: true },
        start: { name: 'start', command: 'npm run start' },
        build: { name: 'build', command: 'npm run build' },
      },
    })
  })

  it.each([
    [{}, ['yarn.lock'], 'yarn install'],
    [{}, ['pnpm-lock.yaml', 'package-lock.json'], 'pnpm install'],
    [{}, ['bun.lock'], 'bun install'],
    [{}, ['package-lock.json'], 'npm install'],
    [{ packageManager: 'yarn@4.1.0' }, ['package-lock.json'], 'yarn install'],
    [{ packageManager: 'evil; rm -rf /' }, [], 'npm install'],
    [{ packageManager: 5, scripts: 7 }, [], 'npm install'],
  ])('TA13: %j with %j is installed by %s', (packageJson, files, command) => {
    expect(inferTasks(JSON.stringify(packageJson), new Set(files)).setupTasks[0]?.command).toBe(command)
  })

  it('TA13: without a package.json that can be read there are no tasks', () => {
    expect(inferTasks(undefined, new Set())).toEqual({ tasks: {}, setupTasks: [] })
    expect(inferTasks('{ "scripts": ', new Set())).toEqual({ tasks: {}, setupTasks: [] })
    expect(inferTasks('[]', new Set())).toEqual({ tasks: {}, setupTasks: [] })
  })
})

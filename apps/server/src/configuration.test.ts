import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigurationError, environmentSchema, readConfiguration, settingDocumentation } from './configuration.ts'
import type { SettingName } from './configuration.ts'
import { configurationGuide } from './configurationGuide.ts'

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfiguration(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  return ''
}

describe('the settings', () => {
  it('have defaults that need nothing', () => {
    expect(readConfiguration({ HOME: '/home/ada' })).toMatchObject({
      port: 4100,
      host: '127.0.0.1',
      base: 'boxyard.localhost:4100',
      appOrigin: 'http://app.boxyard.localhost:4100',
      driver: 'auto',
      github: undefined,
      signUp: 'open',
    })
  })

  it('follow the port in the base host, unless it is named', () => {
    expect(readConfiguration({ PORT: '8080' }).appOrigin).toBe('http://app.boxyard.localhost:8080')
    expect(readConfiguration({ BOXYARD_BASE: 'https://dev.example.test' })).toMatchObject({
      base: 'dev.example.test',
      protocol: 'https',
      appOrigin: 'https://app.dev.example.test',
    })
  })

  it('take an empty value as not given', () => {
    expect(readConfiguration({ PORT: '', BOXYARD_BASE: '' }).port).toBe(4100)
  })

  it.each([
    ['PORT', '70000', 'a number from 1 to 65535'],
    ['PORT', 'http', 'a number from 1 to 65535'],
    ['HOST', 'everywhere', 'an IP address'],
    ['BOXYARD_BASE', 'http://a.test/path', 'a host name in lower case'],
    ['BOXYARD_DRIVER', 'docker', 'auto, bwrap, vm or process'],
    ['BOXYARD_SIGN_UP', 'closed', 'open or invitation'],
    ['LOG_LEVEL', 'loud', 'fatal, error, warn, info, debug, trace or silent'],
    ['BOXYARD_NPM_REGISTRY', 'registry', 'an http or https address'],
  ])('name %s when it is %j', (name, value, expected) => {
    expect(problemsOf({ [name]: value })).toContain(
      `${name}: ${JSON.stringify(value)} is not valid; expected ${expected}`,
    )
  })

  it('never repeat a secret', () => {
    const problem = problemsOf({ DATABASE_URL: 'mysql://ada:hunter2@db', BOXYARD_ADMIN_TOKEN: 'hunter2' })
    expect(problem).toContain('DATABASE_URL')
    expect(problem).toContain('BOXYARD_ADMIN_TOKEN')
    expect(problem).not.toContain('hunter2')
  })

  it('name a setting of Boxyard that does not exist', () => {
    expect(problemsOf({ BOXYARD_HOEM: '/tmp' })).toContain('BOXYARD_HOEM is not a setting of Boxyard')
    expect(problemsOf({ PORT: 'x', BOXYARD_HOEM: '/tmp' }).split('\n')).toHaveLength(3)
  })

  it('want both halves of an OAuth app', () => {
    expect(problemsOf({ GITHUB_CLIENT_ID: 'id' })).toContain('give both or neither')
  })

  it('know where the API of a GitHub Enterprise Server is', () => {
    const app = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }
    expect(readConfiguration(app).github?.apiUrl).toBe('https://api.github.com')
    expect(readConfiguration({ ...app, GITHUB_URL: 'https://git.example.test/' }).github?.apiUrl).toBe(
      'https://git.example.test/api/v3',
    )
  })

  it('are all documented', () => {
    for (const name of Object.keys(environmentSchema.shape) as SettingName[]) {
      expect(settingDocumentation.get(environmentSchema.shape[name]), name).toBeDefined()
    }
  })

  it('are in the guide as they are', () => {
    const guide = readFileSync(new URL('../../../docs/guides/configuration.md', import.meta.url), 'utf8')
    expect(guide).toBe(configurationGuide())
  })
})

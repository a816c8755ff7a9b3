import { describe, expect, it } from 'vitest'
import { DEV_SERVER_VERSION, featureGates, hasFeature, isOlderVersion, type Feature } from './versions.ts'

const features = Object.keys(featureGates) as Feature[]

describe('versions', () => {
  it('P500: a server has a feature from the version on that the published list names', () => {
    expect(hasFeature('0.254.0', 'SHELL_RENAME')).toBe(true)
    expect(hasFeature('0.253.99', 'SHELL_RENAME')).toBe(false)
    expect(hasFeature('0.1000.0', 'SHELL_RENAME')).toBe(true)
    expect(hasFeature('1.0.0', 'SETUP_ENV_DEVTOOL')).toBe(true)
    expect(hasFeature('0.209.10', 'GIT_BRANCH_OUT_OF_SYNC')).toBe(false)
    expect(hasFeature('0.209.10', 'SANDBOX_TO_REPOSITORY')).toBe(true)
    expect(hasFeature('0.313.0-rc.1', 'SETUP_ENV_DEVTOOL')).toBe(true)
    for (const unreadable of ['', 'next', '0.313', '0.313.0.1']) {
      expect(features.filter((feature) => hasFeature(unreadable, feature))).toEqual([])
    }
  })

  it('P500: the dev server announces a version that has them all', () => {
    expect(features.filter((feature) => hasFeature(DEV_SERVER_VERSION, feature))).toEqual(features)
  })

  it('P500: of two versions the older one is known, and of one that can not be read nothing', () => {
    expect(isOlderVersion('0.400.0', '0.400.1')).toBe(true)
    expect(isOlderVersion('0.399.9', '0.400.0')).toBe(true)
    expect(isOlderVersion('0.400.0', '0.400.0')).toBe(false)
    expect(isOlderVersion('1.0.0', '0.400.0')).toBe(false)
    expect(isOlderVersion('next', '0.400.0')).toBe(false)
    expect(isOlderVersion('0.400.0', 'next')).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { parseDevContainer, planDevContainer, setupCommand, setupStepsOf } from './devContainer.ts'

const box = { workspace: '/project/workspace', home: '/home/boxyard', environment: { PATH: '/bin', USER: 'boxyard' } }

describe('dev container', () => {
  it('AR7: does what a box can do and says what it can not', () => {
    const container = parseDevContainer(`{
      // With comments
      "image": "mcr.test/devcontainers/typescript-node",
      "features": { "ghcr.test/devcontainers/features/python:1": {}, "./tool": { "version": "it's 2", "bad-name": 1 }, "../../out": {} },
      "onCreateCommand": "npm ci",
      "postCreateCommand": { "seed": ["npm", "run", "seed it"], "check": "npm test" },
      "containerEnv": { "ROOT": "\${containerWorkspaceFolder}/x", "WHO": "\${localEnv:USER}", "NONE": "\${localEnv:NONE:else}", "NO GOOD": "x" },
      "remoteEnv": { "UNSET": null },
      "forwardPorts": [3000, "db:5432"],
      "runArgs": ["--privileged"],
    }`)
    const plan = planDevContainer(container, box)
    expect(plan.steps).toEqual([
      { name: 'Feature ./tool', command: `cd '.devcontainer/./tool' && VERSION='it'\\''s 2' bash ./install.sh` },
      { name: 'onCreateCommand', command: 'npm ci' },
      {
        name: 'postCreateCommand',
        command: [
          'failed=0',
          `echo 'postCreateCommand seed'\n('npm' 'run' 'seed it'\n) & part0=$!`,
          `echo 'postCreateCommand check'\n(npm test\n) & part1=$!`,
          'wait $part0 || failed=$?',
          'wait $part1 || failed=$?',
          'exit $failed',
        ].join('\n'),
      },
    ])
    expect(plan.environment).toEqual({ ROOT: '/project/workspace/x', WHO: 'boxyard', NONE: 'else' })
    expect(plan.programs).toEqual(['python3'])
    for (const about of ['image:', 'runArgs:', 'ghcr.test/', '../../out:', 'NO GOOD:', 'forwardPorts:']) {
      expect(plan.notes.some((note) => note.startsWith(about))).toBe(true)
    }
    const command = setupCommand(plan)
    const said = ['A box leaves these parts of the dev container out:', '- image: the box keeps', 'npm ci']
    const places = said.map((text) => command.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(planDevContainer({}, box)).toEqual({ steps: [], startSteps: [], environment: {}, programs: [], notes: [] })
    expect(setupStepsOf(planDevContainer({}, box))).toEqual([])
  })

  it('AR7: a description that is wrong says where', () => {
    expect(() => parseDevContainer('{')).toThrow('not JSON with comments')
    expect(() => parseDevContainer('{"features": 3}')).toThrow('features')
    expect(() => parseDevContainer('[]')).toThrow('devcontainer.json')
  })
})

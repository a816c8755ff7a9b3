import { expect, it } from 'vitest'
import { changeDependency, parseDependencyCommand } from './dependencyCommand.ts'

it.each([
  ['dependency add react', { kind: 'add', name: 'react', range: null }],
  ['dependency add @scope/x.y@^1.2.3-beta.1', { kind: 'add', name: '@scope/x.y', range: '^1.2.3-beta.1' }],
  ['dependency remove @scope/x', { kind: 'remove', name: '@scope/x' }],
  ['dependency', null],
  ['dependency add', null],
  ['dependency add a b', null],
  ['dependency add __proto__', null],
  ['dependency add ../x', null],
  ['dependency add x@file:../y', null],
  ['dependency remove x@1', null],
  ['dependency update x', null],
  ['npm install react', null],
])('BB230: reads %j', (command, expected) => {
  expect(parseDependencyCommand(command)).toEqual(expected)
})

it('BB230: changes one dependency and leaves the layout of package.json as it is', () => {
  const text = '{\n    "name": "x",\n    "devDependencies": {\n        "vite": "^8.0.0"\n    }\n}\n'
  const added = changeDependency(text, 'react', '^19.0.0')
  expect(added).toBe(`${text.trimEnd().slice(0, -2)},\n    "dependencies": {\n        "react": "^19.0.0"\n    }\n}\n`)
  expect(changeDependency(added, 'vite', '^9.0.0')).toBe(added.replace('^8.0.0', '^9.0.0'))
  expect(JSON.parse(changeDependency(added, 'react', null))).toMatchObject({ dependencies: {} })
  expect(() => changeDependency(text, 'react', null)).toThrow('does not depend on react')
  for (const broken of ['{', '[]', '{"dependencies": 1}'])
    expect(() => changeDependency(broken, 'x', '1')).toThrow('npm')
})

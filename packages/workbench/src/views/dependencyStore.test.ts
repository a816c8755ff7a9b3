import { expect, it } from 'vitest'
import { dependenciesOf } from './dependencyStore.ts'

it('WB53: lists what package.json depends on, by name, and nothing while it is no package.json', () => {
  const text =
    '{"devDependencies":{"vite":"^8.0.0"},"dependencies":{"react":"19","a":"*","broken":1},"scripts":{"dev":"vite"}}'
  expect(dependenciesOf(text)).toEqual([
    { name: 'a', range: '*' },
    { name: 'react', range: '19' },
    { name: 'vite', range: '^8.0.0' },
  ])
  expect(dependenciesOf('{}')).toEqual([])
  for (const broken of ['', '{', 'null', '1']) expect(dependenciesOf(broken)).toBeNull()
})

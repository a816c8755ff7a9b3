import { expect, it } from 'vitest'
import { foundPlaces } from './foundPlaces.ts'

const folders = ['/', '/Weather', '/Weather/Old maps', '/maps'].map((path) => ({ id: path, path, sandboxCount: 0 }))
const repositories = [
  { id: '1', owner: 'ada', name: 'weather-maps', defaultBranch: 'main' },
  { id: '2', owner: 'grace', name: 'todo', defaultBranch: 'main' },
]
const namesOf = (text: string, most?: number) => {
  const found = foundPlaces(text, folders, repositories, most)
  return [...found.folders.map(({ path }) => path), ...found.repositories.map(({ name }) => name)]
}

it('finds folders by their own name and repositories by owner and name, with every word in it', () => {
  expect(namesOf('MAPS')).toEqual(['/Weather/Old maps', '/maps', 'weather-maps'])
  expect(namesOf('old map')).toEqual(['/Weather/Old maps'])
  expect(namesOf('ada')).toEqual(['weather-maps'])
  expect(namesOf('maps', 1)).toEqual(['/Weather/Old maps', 'weather-maps'])
  expect([namesOf(''), namesOf('  '), namesOf('nothing')]).toEqual([[], [], []])
})

import { randomInt } from 'node:crypto'

const adjectives = [
  'amber',
  'bold',
  'brisk',
  'calm',
  'clever',
  'gentle',
  'keen',
  'lively',
  'quiet',
  'silver',
  'sunny',
  'swift',
]
const nouns = [
  'badger',
  'brook',
  'cedar',
  'comet',
  'falcon',
  'harbor',
  'meadow',
  'otter',
  'pebble',
  'ridge',
  'sparrow',
  'willow',
]

/** Two words that make a title, like `brisk-otter`. */
export function generateTitle(random: (below: number) => number = randomInt): string {
  return `${adjectives[random(adjectives.length)]}-${nouns[random(nouns.length)]}`
}

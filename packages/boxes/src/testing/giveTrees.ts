import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { SharedTrees } from '../disk/sharedTrees.ts'
import { Trash } from '../trash.ts'

// A server that keeps trees and gives copies of them without a pause, until it is killed: `giveTrees FOLDER ARCHIVE ROUND`. A line tells of each
// copy that somebody has been told of.

const [folder, archive, round] = process.argv.slice(2) as [string, string, string]
const trash = new Trash(path.join(folder, 'trash'))
await trash.open()
const trees = new SharedTrees({ folder: path.join(folder, 'trees'), trash, owner: null })
await trees.open()
const given = path.join(folder, 'given')
await mkdir(given, { recursive: true })
console.log('open')
for (let at = 0; ; at += 1) {
  const id = (at % 3).toString().repeat(64)
  await trees.keep(id, archive)
  const name = `${round}-${at}`
  await trees.copy((await trees.find(id))!, path.join(given, name))
  console.log(name)
}

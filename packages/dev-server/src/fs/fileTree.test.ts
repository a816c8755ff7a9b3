import type { TreeOperation } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import { derivedId, FileTree, type NodeType } from './fileTree.ts'

const create = (parentId: string, id: string, type: NodeType, name = id): TreeOperation => ({
  type: 'create',
  parentId,
  newEntry: { id, type, name },
})

function sample(): FileTree {
  const tree = new FileTree()
  for (const operation of [
    create('0', 'src', 1),
    create('src', 'a', 0),
    create('src', 'lib', 1),
    create('lib', 'b', 0),
  ]) {
    tree.apply(operation)
  }
  return tree
}

describe('file tree', () => {
  it('FS11: a move keeps the ids below it, a delete removes them', () => {
    const tree = sample()
    tree.apply({ type: 'move', id: 'lib', parentId: '0', name: 'library' })
    expect(tree.subtree('0').map(({ path, id }) => [path, id])).toEqual([
      ['', '0'],
      ['src', 'src'],
      ['src/a', 'a'],
      ['library', 'lib'],
      ['library/b', 'b'],
    ])
    tree.apply({ type: 'delete', id: 'lib' })
    expect(tree.has('b')).toBe(false)
    expect(tree.idAt('library/b')).toBeUndefined()
    expect(tree.pathOf('a')).toBe('src/a')
  })

  it('FS12: accepts only what every client can apply', () => {
    const tree = sample()
    const refused: TreeOperation[] = [
      create('src', 'new', 0, 'a'),
      create('0', 'a', 0, 'other'),
      create('a', 'new', 0),
      create('unknown', 'new', 0),
      { type: 'delete', id: '0' },
      { type: 'delete', id: 'unknown' },
      { type: 'move', id: '0', name: 'x' },
      { type: 'move', id: 'src', parentId: 'lib' },
      { type: 'move', id: 'b', parentId: 'a' },
      { type: 'move', id: 'a', name: 'lib' },
      { type: 'move', id: 'a' },
    ]
    const before = tree.nodes()
    for (const operation of refused) {
      expect([operation, tree.accepts(operation)]).toEqual([operation, false])
      expect(() => tree.apply(operation)).toThrow()
    }
    expect(tree.nodes()).toEqual(before)
  })

  it('FS13: parents stand before their children, the root has neither name nor parent', () => {
    const nodes = sample().nodes()
    expect(nodes[0]).toEqual({ id: '0', type: 1 })
    for (const [index, { parentId }] of nodes.entries()) {
      if (parentId !== undefined) expect(nodes.slice(0, index).map(({ id }) => id)).toContain(parentId)
    }
  })

  it('FS14: ids made of paths are the same everywhere and differ by path', () => {
    expect(derivedId('src/a.ts')).toBe(derivedId('src/a.ts'))
    expect(derivedId('src/a.ts')).not.toBe(derivedId('src/b.ts'))
    expect(derivedId('src/a.ts')).toMatch(/^[\w-]{22}$/)
  })
})

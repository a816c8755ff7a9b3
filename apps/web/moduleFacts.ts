import { parse } from 'acorn'
import type { Node, Program } from 'estree'
import { walk } from 'estree-walker'
import isReference from 'is-reference'
import { analyze } from 'periscopic'

/** Nodes of the parser have their place, in characters. */
export type Placed<T> = T & { start: number; end: number }

type Scopes = ReturnType<typeof analyze>

export interface ModuleFacts {
  program: Program
  scopes: Scopes
  imports: { from: string; names: { imported: string; local: string }[]; start: number; end: number }[]
  /** By the name that others import. */
  exports: Map<string, { local: string; changes: boolean }>
  statements: { start: number; end: number }[]
  /** Statements of other kinds that import or export, which no part may have. */
  others: string[]
}

/** What `code`, a chunk of the bundler, imports and exports, and which of its exports change when it has run. */
export function moduleFacts(code: string): ModuleFacts {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as Program
  const facts: ModuleFacts = {
    program,
    scopes: analyze(program),
    imports: [],
    exports: new Map(),
    statements: [],
    others: [],
  }
  const exported: { local: string; name: string }[] = []
  for (const node of program.body as Placed<Program['body'][number]>[]) {
    const { start, end } = node
    if (node.type === 'ImportDeclaration') {
      const names = node.specifiers.flatMap((specifier) =>
        specifier.type === 'ImportSpecifier'
          ? [{ imported: nameOf(specifier.imported), local: specifier.local.name }]
          : [],
      )
      facts.imports.push({ from: String(node.source.value), names, start, end })
      if (names.length < node.specifiers.length) facts.others.push(code.slice(start, end))
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration && !node.source) {
      facts.statements.push({ start, end })
      for (const { local, exported: name } of node.specifiers)
        exported.push({ local: nameOf(local), name: nameOf(name) })
    } else if (node.type === 'ExportNamedDeclaration' && node.source) {
      const names = node.specifiers.map(({ local, exported: name }) => ({
        imported: nameOf(local),
        local: nameOf(name),
      }))
      facts.imports.push({ from: String(node.source.value), names, start, end })
      facts.others.push(code.slice(start, end))
    } else if (node.type.startsWith('Export')) facts.others.push(code.slice(start, end))
  }
  const changing = changingNames(facts, new Set(exported.map(({ local }) => local)))
  for (const { local, name } of exported) facts.exports.set(name, { local, changes: changing.has(local) })
  return facts
}

/** Those of the names of a module that a function of it assigns. */
function changingNames(facts: ModuleFacts, names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  eachIdentifier(facts, (name, { isWritten, isInFunction, isOfModule }) => {
    if (isWritten && isInFunction && names.has(name) && isOfModule()) found.add(name)
  })
  return found
}

function nameOf(node: { type: string }): string {
  if (node.type !== 'Identifier') throw new Error('Names of imports and exports are identifiers')
  return (node as unknown as { name: string }).name
}

interface Found {
  node: Placed<Node>
  parent: Node
  isWritten: boolean
  isInFunction: boolean
  /** Whether it is the module's own name, and no inner one of the same spelling. */
  isOfModule: () => boolean
}

/** Calls `found` for every identifier that stands for a value. */
export function eachIdentifier(
  { program, scopes: { map, scope: root } }: ModuleFacts,
  found: (name: string, place: Found) => void,
): void {
  const scopes = [root]
  let functions = 0
  const written = new Set<Node>()
  walk(program, {
    enter(node, parent) {
      const scope = map.get(node)
      if (scope && scope !== root) scopes.push(scope)
      if (isFunction(node)) functions += 1
      if (node.type === 'AssignmentExpression') for (const name of targets(node.left)) written.add(name)
      if (node.type === 'UpdateExpression') written.add(node.argument)
      if (
        (node.type === 'ForOfStatement' || node.type === 'ForInStatement') &&
        node.left.type !== 'VariableDeclaration'
      )
        for (const name of targets(node.left)) written.add(name)
      if (node.type !== 'Identifier' || !parent || !isReference(node, parent)) return
      const scopeHere = scopes.at(-1)!
      found(node.name, {
        node: node as Placed<Node>,
        parent,
        isWritten: written.has(node),
        isInFunction: functions > 0,
        isOfModule: () => scopeHere.find_owner(node.name) === root,
      })
    },
    leave(node) {
      const scope = map.get(node)
      if (scope && scope !== root) scopes.pop()
      if (isFunction(node)) functions -= 1
    },
  })
}

const isFunction = ({ type }: Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

/** The nodes of a pattern that are assigned. */
function targets(pattern: Node): Node[] {
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((element) => (element ? targets(element) : []))
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((property) =>
      targets(property.type === 'Property' ? property.value : property.argument),
    )
  if (pattern.type === 'AssignmentPattern') return targets(pattern.left)
  if (pattern.type === 'RestElement') return targets(pattern.argument)
  return [pattern]
}

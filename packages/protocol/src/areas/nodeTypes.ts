// What a node of the file tree is, apart from the schemas: the first script of a sandbox needs nothing else of the protocol.

export const ROOT_ID = '0'
export const NODE_FILE = 0
export const NODE_DIRECTORY = 1

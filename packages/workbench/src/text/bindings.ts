import type { TextBinding } from './textBinding.ts'

/** The models that are bound to a file of the box, by the path of the file. */
export type Bindings = ReadonlyMap<string, TextBinding>

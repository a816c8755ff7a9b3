/** What the modules of a page were compiled to, with their maps, by the address that stacks name them by. */
export const moduleCodes = new Map<string, string>()

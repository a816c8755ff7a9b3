/** The name of a frame that shows one module of a project in place of its page: nothing is compiled ahead for it. */
export const ONE_MODULE = 'boxyard:one-module'

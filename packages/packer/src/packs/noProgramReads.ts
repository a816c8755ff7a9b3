/** Files of packages that no program and no bundler reads: declarations, source maps, what is written for people. Often half of all. */
export const NO_PROGRAM_READS = /\.d\.[cm]?ts$|\.map$|\.(?:md|markdown|flow)$/i

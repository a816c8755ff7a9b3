/** An amount of memory or disk as a person reads it: "1,024 MiB". */
export const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString()} MiB`

/** What a machine had used of the processors, in microseconds, at a moment in milliseconds. */
export interface ProcessorReading {
  at: number
  usec: number
}

/** How much of one processor was used between two readings: 1 is all of it. Null when the machine began anew in between. */
export function processorShare(before: ProcessorReading, last: ProcessorReading): number | null {
  const passed = (last.at - before.at) * 1000
  return passed <= 0 || last.usec < before.usec ? null : (last.usec - before.usec) / passed
}

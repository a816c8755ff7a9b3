import type { MachineProgress } from './machineService.ts'

/** The progress of a start as the page receives it. Times are milliseconds since the start began. */
export function presentProgress(progress: MachineProgress) {
  const began = progress.phases[0]?.startedAt ?? 0
  return {
    state: progress.state,
    phase: progress.phase,
    message: progress.message,
    detail: progress.detail,
    progress: progress.progress,
    elapsed_ms: progress.elapsedMs,
    phases: progress.phases.map(({ phase, message, startedAt, endedAt }) => ({
      phase,
      message,
      started_ms: startedAt - began,
      ended_ms: endedAt === null ? null : endedAt - began,
    })),
    failure:
      progress.failure === null
        ? null
        : {
            code: progress.failure.code,
            phase: progress.failure.phase,
            detail: progress.failure.detail,
            next: progress.next,
          },
    stop_reason: progress.stopReason,
  }
}

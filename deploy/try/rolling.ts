/** The processes are restarted one by one under load, as docs/operations/deploy.md does after an upgrade. */
import type { Installation } from './installation.ts'
import { promiseFewRefusals, underLoad } from './load.ts'
import type { Step } from './report.ts'

/** @param times how many restarts of web processes */
export async function restartUnderLoad(installation: Installation, step: Step, times: number): Promise<void> {
  const load = await underLoad(installation, step, async () => {
    const tookMs = await restartInTurn(installation, times)
    const longest = (Math.max(...tookMs) / 1_000).toFixed(1)
    step.note(`${times} restarts of web processes; ${longest} s at most from SIGTERM to /readyz`)
  })
  promiseFewRefusals(load, step)
}

/**
 * SIGTERM, and up again once it has ended: web 1, web 2, worker, and so on.
 * @returns how long each web process took
 */
export async function restartInTurn(
  { parts, operator, ports }: Installation,
  times: number,
): Promise<number[]> {
  const tookMs: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const index = turn % 2 === 0 ? 0 : 1
    const began = performance.now()
    await parts.web[index].stop()
    parts.web[index] = await operator.start('web', ports.web[index])
    tookMs.push(performance.now() - began)
    if (index === 0) continue
    await parts.worker.stop()
    parts.worker = await operator.start('worker', ports.worker)
  }
  return tookMs
}

/** The processes are restarted one by one under load, as docs/operations/deploy.md does after an upgrade. */
import type { Installation } from './installation.ts'
import { promiseLedger, startLoad } from './load.ts'
import type { Step } from './report.ts'

/** @param times how many restarts of web processes */
export async function restartInTurn(installation: Installation, step: Step, times: number): Promise<void> {
  const load = await startLoad(installation)
  const tookMs: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const began = performance.now()
    await restart(installation, turn % 2 === 0 ? 0 : 1)
    tookMs.push(performance.now() - began)
    if (turn % 2 === 1) await restart(installation, 'worker')
  }
  await load.stop()

  const { served, refused, cut } = load.counts()
  step.note(
    `${times} restarts of web processes; ${seconds(Math.max(...tookMs))} at most from SIGTERM to /readyz`,
  )
  await promiseLedger(load, step)
  step.promise(
    `${refused + cut} of ${served + refused + cut} requests failed: fewer than 1 in 1,000, and none was cut off`,
    cut === 0 && refused * 1_000 < served + refused,
  )
}

/** SIGTERM, and up again once it has ended. */
async function restart({ parts, operator, ports }: Installation, which: 0 | 1 | 'worker'): Promise<void> {
  if (which === 'worker') {
    await parts.worker.stop()
    parts.worker = await operator.start('worker', ports.worker)
  } else {
    await parts.web[which].stop()
    parts.web[which] = await operator.start('web', ports.web[which])
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

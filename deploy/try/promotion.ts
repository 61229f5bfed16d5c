/** The primary is lost under load, and the standby promoted as docs/operations/postgresql.md says. */
import { setTimeout as sleep } from 'node:timers/promises'
import { archiving, createStandby } from '../../tests/support/debian-postgres.ts'
import type { Installation } from './installation.ts'
import { type Load, underLoad } from './load.ts'
import type { Step } from './report.ts'

const calmMs = 4_000
const withoutPrimaryMs = 4_000
/** "Requests: within a second of the promotion; behind a proxy, plus the interval of its checks". */
const backMs = 1_000
/** fail_timeout of deploy/nginx.conf. */
const proxyMs = 2_000

/** @param times how often; each time a new standby is made where the lost primary was */
export async function promoteStandby(installation: Installation, step: Step, times: number): Promise<void> {
  await underLoad(installation, step, async (load) => {
    const backAfterMs: number[] = []
    for (let turn = 0; turn < times; turn++) backAfterMs.push(await loseThePrimary(installation, step, load))
    step.promise(
      `the last request refused was sent ${backAfterMs.map(Math.round).join(', ')} ms after the promotion`,
      Math.max(...backAfterMs) < backMs + proxyMs,
    )
  })
}

/** @returns how long after the promotion a request was sent that was refused */
async function loseThePrimary({ parts }: Installation, step: Step, load: Load): Promise<number> {
  await sleep(calmMs)
  const { primary: former, standby } = parts
  former.signal('SIGKILL')
  await sleep(withoutPrimaryMs)
  await standby.promote()
  const promotedAt = performance.now()
  parts.primary = standby
  await sleep(calmMs)
  const backAfterMs = Math.max(0, load.lastRefusedAt() - promotedAt)
  const { acknowledged, lost, doubled } = await load.audit()
  step.promise(
    `after a promotion, of ${acknowledged} acknowledged writes ${lost} are lost and ${doubled} doubled`,
    lost === 0 && doubled === 0,
  )
  former.remove()
  parts.standby = await createStandby(standby, { port: former.port, settings: archiving })
  return backAfterMs
}

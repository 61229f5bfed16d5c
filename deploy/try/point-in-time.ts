/** By a base backup and the write-ahead log, the installation goes back to the moment before an accident. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createStandby, recoverTo, takeBaseBackup } from '../../tests/support/debian-postgres.ts'
import { askDoctor } from './clients.ts'
import type { Installation } from './installation.ts'
import { underLoad } from './load.ts'
import type { Step } from './report.ts'

const loadMs = 10_000

export async function goBack(installation: Installation, step: Step): Promise<void> {
  const { parts, operator, ports } = installation
  const { note, promise } = step
  const { primary, standby } = parts
  const base = takeBaseBackup(primary)
  const before = await underLoad(installation, step, () => sleep(loadMs))
  const moment = await primary.asAdmin(async (client) => {
    const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at')
    return (rows[0] as { at: Date }).at
  })
  await sleep(1_000)
  const after = await underLoad(installation, step, () => sleep(loadMs))
  await wreck(installation)

  await Promise.all([...parts.web, parts.worker].map((each) => each.stop()))
  primary.signal('SIGKILL')
  standby.signal('SIGKILL')
  const began = performance.now()
  const recovered = await recoverTo(primary, base, moment, { port: primary.port })
  note(`recovered in ${((performance.now() - began) / 1_000).toFixed(1)} s from a base backup and the log`)
  primary.remove()
  standby.remove()
  parts.primary = recovered
  await resetRecovery(installation)
  parts.standby = await createStandby(recovered, { port: standby.port })
  note('it has a standby again')

  parts.web[0] = await operator.start('web', ports.web[0])
  parts.web[1] = await operator.start('web', ports.web[1])
  parts.worker = await operator.start('worker', ports.worker)
  const { acknowledged, lost, doubled } = await before.audit()
  promise(
    `of ${acknowledged} writes acknowledged before the moment ${lost} are lost and ${doubled} doubled`,
    lost === 0 && doubled === 0,
  )
  const later = await after.audit()
  promise(
    `of ${later.acknowledged} writes after the moment ${later.acknowledged - later.lost} are there`,
    later.lost === later.acknowledged && later.acknowledged > 0,
  )

  const verdict = await operator.shell('as sandpiper sandpiper audit-verify || true')
  note(`audit-verify: ${verdict.trim().split('\n').join('; ')}`)
  const accepted = await operator.shell(
    `as sandpiper sandpiper audit-accept --reason 'went back to the moment before an accident'`,
  )
  note(`audit-accept: ${accepted.trim().split('\n')[0]}`)
  await askDoctor(installation, step)
  await underLoad(installation, step, () => sleep(loadMs))
}

/** Somebody with the owner’s rights; and the log of it is in the archive. */
async function wreck({ ownerUrl, parts: { primary } }: Installation): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl() })
  await owner.connect()
  await owner.query('TRUNCATE clinical.resource CASCADE')
  await owner.query('DELETE FROM portal.api_key')
  await owner.end()
  await primary.asAdmin(async (client) => {
    const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS file')
    const archived = 'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver'
    while (!(await client.query(archived, [rows[0].file])).rows[0].done) await sleep(200)
  })
}

/** Or the standby would copy these settings and promote itself. */
async function resetRecovery({ parts: { primary } }: Installation): Promise<void> {
  await primary.asAdmin(async (client) => {
    for (const setting of ['recovery_target_time', 'recovery_target_action', 'restore_command'])
      await client.query(`ALTER SYSTEM RESET ${setting}`)
  })
}

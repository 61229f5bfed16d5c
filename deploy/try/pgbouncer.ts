/** Requests go through PgBouncer, as docs/operations/postgresql.md sets it up, which is then killed under load. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPgbouncer } from '../../tests/support/pgbouncer.ts'
import { askDoctor } from './clients.ts'
import type { Installation } from './installation.ts'
import { killPart } from './kills.ts'
import { underLoad } from './load.ts'
import type { Step } from './report.ts'
import { restartInTurn } from './rolling.ts'

const awayMs = 500

/** @param times how often it is killed */
export async function serveThroughPgbouncer(
  installation: Installation,
  step: Step,
  times: number,
): Promise<void> {
  if (!process.env.PGBOUNCER) {
    step.note(
      'not run: PGBOUNCER names no PgBouncer of 1.21 or newer, and Debian 12 has 1.18, which is refused',
    )
    return
  }
  const { folder, operator, parts } = installation
  const file = join(folder, 'etc/sandpiper/sandpiper.env')
  const before = readFileSync(file, 'utf8')
  const { DATABASE_URL: direct = '' } = operator.settings('sandpiper')
  const [, password = ''] = /:\/\/[^:]+:([^@]+)@/.exec(direct) ?? []
  const bouncer = await startPgbouncer(
    { host: '127.0.0.1', port: parts.primary.port, database: 'sandpiper' },
    { password },
  )
  try {
    writeFileSync(
      file,
      before.replace(`DATABASE_URL=${direct}`, `DATABASE_URL=${bouncer.url}\nDATABASE_DIRECT_URL=${direct}`),
    )
    await underLoad(installation, step, async (load) => {
      await restartInTurn(installation, 2)
      await askDoctor(installation, step)
      await killPart('PgBouncer', { kill: bouncer.kill, awayMs, start: bouncer.start }, { load, step, times })
      writeFileSync(file, before)
      await restartInTurn(installation, 2)
    })
  } finally {
    await bouncer.remove()
  }
}

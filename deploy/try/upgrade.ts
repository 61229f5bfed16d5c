/** An upgrade to a release with one more migration, and the way back to the release before, under load. */
import { cpSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import type { Installation } from './installation.ts'
import { promiseFewRefusals, underLoad } from './load.ts'
import type { Step } from './report.ts'
import { restartInTurn } from './rolling.ts'

/** It only adds, as decision 91 wants it: to the tables that every request of the load uses, among others. */
const migration = `
ALTER TABLE clinical.resource ADD COLUMN trial text;
ALTER TABLE portal.api_key ADD COLUMN trial text;
CREATE TABLE portal.trial (id uuid PRIMARY KEY, note text NOT NULL DEFAULT '');
`
const calmMs = 3_000

export async function upgradeAndRollBack(installation: Installation, step: Step): Promise<void> {
  makeNextRelease(installation.folder)
  const load = await underLoad(installation, step, async () => {
    await sleep(calmMs)
    await upgrade(installation, step)
    await sleep(calmMs)
    await rollBack(installation, step)
    await sleep(calmMs)
  })
  promiseFewRefusals(load, step)
}

async function upgrade(installation: Installation, { note, promise }: Step): Promise<void> {
  const { operator } = installation
  await operator.follow([['Back up', 0]])
  note('backed up')
  const refusal = await startUnmigrated(installation)
  promise(
    `the new release does not start before its migration, and says why: ${refusal}`,
    /lacks a migration/.test(refusal),
  )
  const began = performance.now()
  // Migrates with the new release, then points the link to it.
  await operator.follow([['Upgrade', 0]])
  note(`migrated in ${((performance.now() - began) / 1_000).toFixed(1)} s, while the old release served`)
  promise('its table is there', await hasTable(installation))
  await restartInTurn(installation, 2)
  promise('after the restarts, web 1, web 2 and the worker run the new release', runs(installation, 2))
}

async function rollBack(installation: Installation, { promise }: Step): Promise<void> {
  await installation.operator.shell('ln -sfn /opt/sandpiper-1 /opt/sandpiper')
  await restartInTurn(installation, 2)
  promise(
    'after the way back, web 1, web 2 and the worker run the old release on the new schema',
    runs(installation, 1) && (await hasTable(installation)),
  )
}

/** The release that is installed, and one migration. */
function makeNextRelease(folder: string): void {
  const next = join(folder, 'opt/sandpiper-2')
  cpSync(join(folder, 'opt/sandpiper-1'), next, { recursive: true, verbatimSymlinks: true })
  const place = join(next, 'prisma/migrations/29991231000000_trial')
  mkdirSync(place)
  writeFileSync(join(place, 'migration.sql'), migration)
}

/** @returns what a command of the new release says that serves */
async function startUnmigrated({ operator }: Installation): Promise<string> {
  const command = `env PORT=${await findFreePort()} node /opt/sandpiper-2/bin/sandpiper.cjs serve`
  const said = await operator
    .shell(`as sandpiper timeout 30 ${command}`)
    .catch((error: Error) => error.message)
  return /.*lacks .*/.exec(said)?.[0] ?? said.slice(-500)
}

async function hasTable({ services }: Installation): Promise<boolean> {
  const { rows } = await services.pool.query("SELECT to_regclass('portal.trial') IS NOT NULL AS there")
  return rows[0]?.there === true
}

function runs({ parts: { web, worker } }: Installation, release: number): boolean {
  return [...web, worker].every(({ pid }) =>
    readlinkSync(`/proc/${pid()}/cwd`).endsWith(`sandpiper-${release}`),
  )
}

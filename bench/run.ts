/** `npm run bench`: what a request costs, as a multiple of what Node itself needs to answer anything. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { ROOT } from '../scripts/setup/folders.mjs'
import { makeCallers } from './callers.ts'
import { type Undo, withCleanUp } from './clean-up.ts'
import { startClient } from './clients.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { findFhirRecords } from './fhir-records.ts'
import type { Figure } from './figures.ts'
import { reportFloods } from './floods.ts'
import { createInstallation, startFloor } from './installation.ts'
import { describeMachine, type KeptRun, keepRun, printComparison, readLoad, readRun } from './kept-run.ts'
import { runParts } from './parts.ts'
import { remarks } from './remarks.ts'
import { reportRows } from './report-rows.ts'
import { writeResults } from './results.ts'
import type { Context } from './rows.ts'
import { makeVisitors } from './visitors.ts'
import { reportWeb } from './web.ts'

/** So many practices at 400 requests a second each are more than any machine here serves. */
const PRACTICES = 60

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    save: { type: 'string' },
    against: { type: 'string' },
    results: { type: 'boolean', default: false },
    'low-rate': { type: 'boolean', default: false },
  },
})
const { only } = values
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const atLowRate = values['low-rate'] || values.results
// Before minutes are spent: the file is there.
const earlier = values.against === undefined ? null : readRun(values.against)

const found: { run?: KeptRun } = {}
await withCleanUp(async (undo) => {
  found.run = await measureInstallation(undo)
})
if (found.run) {
  const { run } = found
  const figures = values.results ? [...run.figures, ...(await runParts())] : run.figures
  finish({ ...run, figures })
}

async function measureInstallation(undo: Undo): Promise<KeptRun> {
  const load = readLoad()
  const installation = await createInstallation(undo)
  const callers = await makeAllCallers(installation.owner)
  const machine = await describeMachine(installation.owner)
  const server = await installation.startServer()
  const context = { ...callers, patientIds: await readPatientIds(server.origin, callers.callers) }
  const client = startClient()
  undo(() => client.stop())
  const floor = await startFloor(undo)
  const figures: Figure[] = []
  if (only !== 'web' && only !== 'floods')
    figures.push(...(await reportRows(client, { floor, server }, context, { ...effort, only, atLowRate })))
  if (only === '' || only === 'floods')
    figures.push(...(await reportFloods(undo, client, server.origin, context, { rounds: 3, seconds: 2 })))
  if (only === '' || only === 'web') figures.push(...(await reportWeb(undo, server.origin)))
  return { at: new Date().toISOString(), machine, load, figures }
}

function finish(run: KeptRun): void {
  if (values.save !== undefined) keepRun(values.save, run)
  if (earlier) printComparison(earlier, run)
  if (!values.results) return
  const { text, unexplained } = writeResults(run, remarks)
  writeFileSync(join(ROOT, 'bench/RESULTS.md'), text)
  console.log('\nbench/RESULTS.md is written')
  for (const name of unexplained) console.log(`  missed, without a remark in bench/remarks.ts: ${name}`)
}

async function makeAllCallers(owner: pg.Pool): Promise<Omit<Context, 'patientIds'>> {
  const callers = await makeCallers(owner, PRACTICES, {
    slug: 'bench',
    records: 'sandpiper-demonstration',
    level: 'read_only',
  })
  const writers = await makeCallers(owner, PRACTICES, {
    slug: 'bench-writer',
    records: 'harbor-family',
    level: 'full',
  })
  const slugs = Array.from({ length: PRACTICES }, (_, index) => `bench-${index}`)
  return {
    callers,
    writers,
    fhirCallers: await makeFhirCallers(owner, slugs),
    fhir: await findFhirRecords(owner),
    visitors: await makeVisitors(owner),
  }
}

async function readPatientIds(origin: string, [caller]: Context['callers']): Promise<string[]> {
  const response = await fetch(`${origin}/sandbox/api/v1/patients?limit=100`, { headers: caller?.headers })
  if (!response.ok) throw new Error(`the list of patients answers ${response.status}`)
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

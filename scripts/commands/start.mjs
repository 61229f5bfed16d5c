import { EventEmitter, once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { developmentAddresses, newDevelopmentKey, originOf } from '../setup/development-addresses.mjs'
import { dataFolder } from '../setup/folders.mjs'
import { prepareServer } from '../setup/prepare.mjs'
import { runsApart, startProcesses } from '../setup/processes.mjs'
import { sampleAppsFile } from '../setup/sample-token.mjs'
import { checkPort, portOf, startServer } from '../setup/server-process.mjs'
import { describeSampleApps, describeSignIns } from '../setup/sign-ins.mjs'
import { readStartOptions } from '../setup/start-options.mjs'

export const help = `
npm start -- [--migrate] [--seed] [--empty]

Sets up what is missing (packages, build, database, synthetic people) and serves Sandpiper. With DATABASE_URL the
database is used unchanged, and the schema of another release is refused:

  --migrate          apply pending migrations first, as the owner (DATABASE_MIGRATION_URL)
  --seed             create missing synthetic practices; production ones only with DEMO=1

A new demonstration starts with a month of sample history: organizations, apps, keys with their calls, agreements.

  --empty            skip the history, permanently for this database

  PORT=3001          listen on another port than 3000
  HOST=0.0.0.0       listen on every address, not only on this machine
  DATA_DIR=folder    keep the embedded database, its secrets and sign-ins in another folder than .data
  ROLE=all           one process for everything; otherwise the APIs, the portal and the jobs get a process each when
                     the machine has more than one core
  ROLE=web           serve requests, run no jobs; ROLE=api: the APIs only; ROLE=portal: the pages only
  ROLE=worker        run jobs and listen only on HEALTH_PORT (3090)
  DATABASE_URL=…     use this PostgreSQL (15 or newer) instead of the embedded one

docs/operations/settings.md lists every other variable. Ctrl-C stops everything.
`

/** @param {string[]} options */
export async function run(options) {
  const asked = readStartOptions(options)
  const stopRequest = listenForStop()
  try {
    return await serve(stopRequest, asked)
  } catch (error) {
    // What Ctrl-C cut short on the way is no fault.
    if (stopRequest.requested) return 0
    throw error
  }
}

/**
 * @param {ReturnType<typeof listenForStop>} stopRequest
 * @param {{ migrate: boolean, seed: boolean, empty: boolean }} asked
 */
async function serve(stopRequest, asked) {
  const begin = Date.now()
  process.env.NODE_ENV ||= 'production'
  const host = process.env.HOST || '127.0.0.1'
  const log = (/** @type {string} */ line) => console.log(line)
  const { variable, port } = portOf(process.env)

  await checkPort(port, host, 'npm start', variable)
  const { portal } = await prepareServer({ build: true, install: true, log })
  const { bringUpToDate, checkEnvironment, openDatabase } = await import('../setup/database.mjs')
  await checkEnvironment()
  const database = await openDatabase({ log })
  try {
    await bringUpToDate(database, asked, log)
    await portal
    if (stopRequest.requested) return 0

    const logFile = database.embedded && process.stdout.isTTY ? path.join(dataFolder(), 'server.log') : null
    if (logFile) fs.rmSync(logFile, { force: true })
    // What serves gets no password of the owner of the tables.
    const key = newDevelopmentKey()
    const environment = { ...database.environment, DATABASE_MIGRATION_URL: '', SANDPIPER_DEV_KEY: key }
    const options = { environment, host, port, logFile, log }
    const server = await (runsApart(process.env) ? startProcesses(options) : startServer(options))
    const { place, embedded } = database
    if (variable === 'HEALTH_PORT') greetWorker({ server, begin, place })
    else {
      const origin = originOf(port)
      const { mailbox, tour } = developmentAddresses({ origin, key, embedded })
      greet({ origin, begin, place, mailbox, tour, logFile })
    }

    const code = await Promise.race([server.exited, stopRequest.promise])
    if (code !== null) {
      console.error(`The server stopped unexpectedly (code ${code})${logFile ? `; see ${logFile}` : ''}`)
      await server.stop()
      return code || 1
    }
    // A pipe that no one reads any more would hold us here; a terminal is read.
    if (process.stdout.isTTY) log('Stopping. Open requests have up to 10 seconds …')
    await server.stop(stopRequest.again)
    return 0
  } finally {
    await database.stop()
  }
}

/** @param {{ server: import('../setup/server-process.mjs').ServerProcess, begin: number, place: string }} facts */
function greetWorker({ server, begin, place }) {
  const seconds = ((Date.now() - begin) / 1000).toFixed(1)
  console.log(
    `\nSandpiper's worker is ready after ${seconds} s\n\n  Health    ${server.origin}/healthz\n  Data      ${place}\n`,
  )
}

/** @param {{ origin: string, begin: number, place: string, mailbox: string | null, tour: string | null, logFile: string | null }} facts */
function greet({ origin, begin, place, mailbox, tour, logFile }) {
  const seconds = ((Date.now() - begin) / 1000).toFixed(1)
  const lines = ['', `Sandpiper is ready after ${seconds} s`, '', `  Address   ${origin}`]
  lines.push(`  Data      ${place}`)
  if (logFile) lines.push(`  Log       ${logFile}`)
  if (mailbox) lines.push(`  Mail      ${mailbox}`)
  if (tour) lines.push(`  Tour      ${tour}`)
  const folder = dataFolder()
  const file = path.join(folder, 'demo-sign-ins.json')
  const signIns = fs.existsSync(file) ? describeSignIns(fs.readFileSync(file, 'utf8')) : []
  if (signIns.length > 0)
    lines.push('', `  Demonstration sign-ins (kept in ${file}):`, '', ...signIns.map((line) => `    ${line}`))
  const apps = sampleAppsFile(folder)
  if (fs.existsSync(apps))
    lines.push(
      '',
      `  Sample apps (credentials in ${apps}):`,
      '',
      ...describeSampleApps(process.env.FHIR_ORIGIN || origin, process.env.DATA_DIR).map(
        (line) => `    ${line}`,
      ),
    )
  lines.push('', '  Stop with Ctrl-C.', '')
  console.log(lines.join('\n'))
}

/**
 * Ctrl-C, a closed terminal or a service manager. `promise` gives null at the first request; `again`
 * resolves at the second, for those who cannot wait.
 */
function listenForStop() {
  const requests = new EventEmitter()
  const state = {
    requested: false,
    promise: once(requests, 'first').then(() => null),
    again: once(requests, 'again').then(() => {}),
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      requests.emit(state.requested ? 'again' : 'first')
      state.requested = true
    })
  return state
}

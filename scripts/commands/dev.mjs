import { spawn } from 'node:child_process'
import path from 'node:path'
import { developmentAddresses, newDevelopmentKey, originOf } from '../setup/development-addresses.mjs'
import { ROOT } from '../setup/folders.mjs'
import { prepare } from '../setup/prepare.mjs'
import { checkPort, threadPool } from '../setup/server-process.mjs'
import { readStartOptions } from '../setup/start-options.mjs'

export const help = `
npm run dev

Serves Sandpiper from source: screens change in the browser as you save, the server restarts when its own
files change. Takes the same variables and options as npm start.
`

/** @param {string[]} options */
export async function run(options) {
  process.env.NODE_ENV = 'development'
  const port = Number(process.env.PORT || 3000)
  await checkPort(port, process.env.HOST || '127.0.0.1', 'npm run dev')
  const log = (/** @type {string} */ line) => console.log(line)
  // Built once, for the migrations and the seed; the server itself runs from source.
  await prepare({ build: true, install: true, development: true, log })
  const { bringUpToDate, checkEnvironment, openDatabase } = await import('../setup/database.mjs')
  await checkEnvironment()
  const database = await openDatabase({ log })
  try {
    await bringUpToDate(database, readStartOptions(options), log)
    const tsx = path.join(ROOT, 'node_modules/tsx/dist/cli.mjs')
    const watch = ['watch', '--clear-screen=false', '--exclude', './app/**', '--exclude', './build/**']
    const key = newDevelopmentKey()
    const { embedded } = database
    const { mailbox, tour } = developmentAddresses({ origin: originOf(port), key, embedded })
    if (mailbox) log(`Mail             ${mailbox}`)
    if (tour) log(`Tour             ${tour}`)
    const child = spawn(process.execPath, [tsx, ...watch, 'server/index.ts'], {
      cwd: ROOT,
      env: { ...process.env, ...threadPool, ...database.environment, SANDPIPER_DEV_KEY: key },
      stdio: 'inherit',
    })
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => child.kill('SIGTERM'))
    return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 0)))
  } finally {
    await database.stop()
  }
}

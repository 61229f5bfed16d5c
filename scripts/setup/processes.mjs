import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { prepareSocketFolder } from '../postgres/users.mjs'
import { ROOT } from './folders.mjs'
import { startServer } from './server-process.mjs'

/** A process that keeps ending is started again after these many seconds, the last of them from then on. */
const PAUSES_S = [1, 2, 5, 15, 30]
/** One that has run for so long starts at the first pause again. */
const STEADY_MS = 60_000
/** Of a process that has proven its settings (server/index.ts). */
const LAST_STEP = 'loading the pages and APIs'

/**
 * Whether `npm start` runs the APIs, the portal and the jobs as processes of their own, so that none holds up another.
 * @param {Record<string, string | undefined>} environment
 */
export function runsApart({ ROLE }) {
  return !ROLE && os.availableParallelism() > 1
}

/**
 * Starts the three processes. People reach the one of the APIs, which passes what is the portal's on to the portal.
 * When it ends, so does everything; the others are started again.
 * @param {{ environment: Record<string, string>, host: string, port: number, logFile?: string | null,
 *   log: (line: string) => void }} options
 * @returns {Promise<import('./server-process.mjs').ServerProcess>}
 * @throws {import('../setup-error.mjs').SetupError} when one of them ends first
 */
export async function startProcesses({ environment, log, ...rest }) {
  const folder = prepareSocketFolder(`${ROOT}:${rest.host}:${rest.port}`, null)
  /** @type {Map<string, Promise<import('./server-process.mjs').ServerProcess>>} */
  const running = new Map()
  let stopping = false

  /**
   * @param {'api' | 'portal' | 'worker'} role
   * @param {(step: string) => void} [onStep]
   */
  function start(role, onStep) {
    const starting = startServer({
      ...rest,
      log,
      onStep,
      environment: { ...environment, ROLE: role, SANDPIPER_SOCKETS: folder },
      ...(role !== 'api' && { socketPath: path.join(folder, `${role}.sock`) }),
    })
    running.set(role, starting)
    return starting
  }

  /** @param {'portal' | 'worker'} role */
  async function keepRunning(role) {
    let begin = Date.now()
    let ended = 0
    for (let current = await running.get(role)?.catch(() => undefined); ; ) {
      const code = current ? await current.exited : 1
      if (stopping) return
      if (Date.now() - begin > STEADY_MS) ended = 0
      const pause = PAUSES_S[Math.min(ended++, PAUSES_S.length - 1)] ?? 1
      log(`The ${role} process ended unexpectedly (code ${code}). It starts again in ${pause} s.`)
      // Not while everything else stops.
      await delay(pause * 1_000, undefined, { ref: false })
      if (stopping) return
      begin = Date.now()
      current = await start(role).catch(() => undefined)
    }
  }

  /** @param {Promise<void>} [impatience] */
  async function stop(impatience) {
    stopping = true
    // The one that people reach goes first: what waits there for the portal is answered.
    for (const roles of [['api'], ['portal', 'worker']])
      await Promise.all(
        roles.map(async (role) => (await running.get(role)?.catch(() => undefined))?.stop(impatience)),
      )
    fs.rmSync(folder, { recursive: true, force: true })
  }

  try {
    // The portal goes first, until its settings are proven: what is wrong with them is said once. The API opens its port
    // when the portal answers. The worker begins then, so that its first checks are answered.
    /** @type {() => void} */
    let settle = () => {}
    const settled = new Promise((resolve) => {
      settle = () => resolve(undefined)
    })
    const portal = start('portal', (step) => step === LAST_STEP && settle())
    const startApi = Promise.race([settled, portal]).then(() => start('api'))
    const [api] = await Promise.all([startApi, portal])
    start('worker').catch(() => {})
    for (const role of /** @type {const} */ (['portal', 'worker'])) void keepRunning(role)
    return { ...api, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

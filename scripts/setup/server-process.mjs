import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { SetupError } from '../setup-error.mjs'
import { ROOT } from './folders.mjs'

/** A busy machine takes minutes to start a server. One that has hung so long in one step does not start any more. */
const STEP_WAIT_MS = 600_000
const REPORT_MS = 10_000
/** The server itself gives running requests 10 s, after it has drained. */
const STOP_WAIT_MS = 13_000
/** server/env.ts */
const DRAIN_S = 5

const NEXT = 'Run npm start again once that is fixed.'

/**
 * A running server.
 * @typedef {object} ServerProcess
 * @property {string} origin
 * @property {number} pid
 * @property {Promise<number>} exited its code, once it has ended
 * @property {(impatience?: Promise<void>) => Promise<void>} stop lets it finish what runs, until it takes too
 *   long or `impatience` resolves
 */

/**
 * The port a process of this environment listens on: one that runs jobs only answers its health there, and nothing else.
 * @param {Record<string, string | undefined>} environment
 * @returns {{ variable: 'PORT' | 'HEALTH_PORT', port: number }}
 */
export function portOf({ ROLE, PORT, HEALTH_PORT }) {
  return ROLE === 'worker'
    ? { variable: 'HEALTH_PORT', port: Number(HEALTH_PORT || 3090) }
    : { variable: 'PORT', port: Number(PORT || 3000) }
}

/**
 * Refuses a port that is taken, before any work is done for it.
 * @param {number} port
 * @param {string} host
 * @param {string} command what to run instead, after `PORT=…`
 * @param {'PORT' | 'HEALTH_PORT'} [variable]
 */
export async function checkPort(port, host, command, variable = 'PORT') {
  const server = net.createServer()
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => resolve(undefined))
    })
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'EADDRINUSE')
      throw new SetupError(
        `port ${port} is in use. Stop the other program, or choose another port: ${variable}=${port + 1} ${command}`,
      )
    if (code === 'EACCES')
      throw new SetupError(
        `this user can't listen on port ${port}. Choose one above 1023: ${variable}=${variable === 'PORT' ? 3000 : 3090} ${command}`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new SetupError(`HOST=${host} is not an address of this machine`)
    throw error
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

/**
 * Of the server's process. Password hashes, the host names of outgoing connections and files share libuv's threads,
 * of which there are four: as many as hashes run at once (server/auth/password.ts), so that a burst of sign-ins
 * would hold up everything else. Read once, when the process starts; a value of the caller's own stands.
 * https://nodejs.org/docs/latest-v20.x/api/cli.html#uv_threadpool_sizesize
 */
export const threadPool = { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE || '8' }

/**
 * Starts the built server and waits until it answers, as long as it lives and makes progress.
 * @param {{ environment: Record<string, string>, host: string, port: number, logFile?: string | null,
 *   nodeOptions?: string[], entry?: string[], socketPath?: string, log?: (line: string) => void, stepWaitMs?: number,
 *   reportMs?: number, onStep?: (step: string) => void }} options `logFile` takes its output instead of ours; `socketPath` is where it answers when it
 *   listens on no port; `log` is told what it is doing when that takes long
 * @returns {Promise<ServerProcess>}
 * @throws {SetupError} when it ends first
 */
export async function startServer(options) {
  const { environment, host, port, logFile, nodeOptions = [], entry, socketPath, log, onStep } = options
  const { stepWaitMs = STEP_WAIT_MS, reportMs = REPORT_MS } = options
  const { variable } = portOf({ ...process.env, ...environment })
  const output = logFile ? fs.openSync(logFile, 'a', 0o600) : /** @type {const} */ ('inherit')
  const preload = pathToFileURL(path.join(ROOT, 'scripts/stop-with-parent.mjs')).href
  const child = spawn(
    process.execPath,
    [...nodeOptions, '--enable-source-maps', '--import', preload, ...(entry ?? ['build/server/index.js'])],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ...threadPool,
        ...environment,
        [socketPath ? 'PORT' : variable]: String(port),
        HOST: host,
      },
      // A group of its own: Ctrl-C reaches it through us, once.
      detached: true,
      stdio: ['ignore', output, output === 'inherit' ? 'inherit' : 'pipe', 'ipc'],
    },
  )
  if (typeof output === 'number') fs.closeSync(output)
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-10_000)
    if (logFile) fs.appendFileSync(logFile, chunk)
  })
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? (signal ? 1 : 0))),
  )

  const name = environment.ROLE ? `${environment.ROLE} process` : 'server'
  const begin = Date.now()
  let step = 'loading its program'
  let stepSince = begin
  let reported = begin
  child.on('message', (message) => {
    if (!message || typeof message !== 'object' || !('step' in message)) return
    step = String(message.step)
    onStep?.(step)
    stepSince = Date.now()
  })
  while (!(await answers(socketPath ? { socketPath } : { host: reachable(host), port }))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await exited
      const cause =
        complaint.trim() ||
        (child.signalCode
          ? `the ${name} was killed (${child.signalCode}) while ${step}: the machine may be out of memory`
          : `the ${name} ended while ${step}; ${logFile ? `its log is ${logFile}` : 'its last lines above say why'}`)
      throw new SetupError(`${cause}\n${NEXT}`)
    }
    const now = Date.now()
    if (now - stepSince > stepWaitMs) {
      child.kill('SIGKILL')
      const seconds = Math.round((now - stepSince) / 1_000)
      throw new SetupError(`the ${name} made no progress for ${seconds} s while ${step}. ${NEXT}`)
    }
    if (now - reported > reportMs) {
      reported = now
      log?.(`The ${name} is ${step} (${Math.round((now - begin) / 1_000)} s) …`)
    }
    await delay(20)
  }

  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    pid: child.pid ?? 0,
    exited,
    async stop(impatience) {
      const drain = Number({ ...process.env, ...environment }.DRAIN_SECONDS || DRAIN_S)
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS + drain * 1_000)
      void impatience?.then(() => child.kill('SIGKILL'))
      child.kill('SIGTERM')
      await exited
      clearTimeout(force)
    },
  }
}

/** @param {string} host @returns {string} */
const reachable = (host) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

/**
 * @param {{ host: string, port: number } | { socketPath: string }} place
 * @returns {Promise<boolean>}
 */
function answers(place) {
  return new Promise((resolve) => {
    const request = http.get({ ...place, path: '/healthz', agent: false, timeout: 5_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

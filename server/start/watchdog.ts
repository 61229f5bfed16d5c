/**
 * Kills this process if its event loop is blocked, because then not even signal handlers run. The supervisor (npm start,
 * systemd, a container engine) restarts it.
 */
import { Worker } from 'node:worker_threads'

/** Longer than any synchronous work of ours, and shorter than people wait. */
const defaultStillSeconds = 30
const checksPerSecond = 4

/** The script of the watchdog thread, which uses nothing of this module. */
const thread = `
const { writeSync } = require('node:fs')
const { Session } = require('node:inspector')
const { workerData: { beats, checksMax, everyMs, seconds } } = require('node:worker_threads')
let last = -1
let still = 0
// Own turns are counted, not time: a machine that slept, or is too busy for this thread, too, is no fault of the loop.
const timer = setInterval(() => {
  const beat = Atomics.load(beats, 0)
  still = beat === last ? still + 1 : 0
  last = beat
  if (still < checksMax) return
  clearInterval(timer)
  // What holds it, unless that is outside JavaScript.
  setTimeout(end, 2_000)
  const session = new Session()
  session.connectToMainThread()
  session.on('Debugger.paused', ({ params }) =>
    end(params.callFrames.slice(0, 10).map((frame) => frame.functionName + ' ' + frame.url + ':' + (frame.location.lineNumber + 1))))
  session.post('Debugger.enable')
  session.post('Debugger.pause')
}, everyMs)
function end(stack) {
  const msg = 'ended: the event loop stood still for ' + seconds + ' s'
  try {
    writeSync(1, JSON.stringify({ level: 'fatal', time: new Date(), stack, msg }) + '\\n')
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}`

export function startWatchdog({ stillSeconds: seconds = defaultStillSeconds } = {}): void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const everyMs = 1_000 / checksPerSecond
  setInterval(() => Atomics.add(beats, 0, 1), everyMs).unref()
  const workerData = { beats, checksMax: seconds * checksPerSecond, everyMs, seconds }
  // No preloaded modules, because they might wait for the main thread.
  new Worker(thread, {
    eval: true,
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref()
}

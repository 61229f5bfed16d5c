/** Each part is killed with kill -9 under load, again and again, and comes back at its place. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'
import { startJobs } from './jobs.ts'
import { type Load, underLoad } from './load.ts'
import type { Report, Step } from './report.ts'

type Part = {
  kill: () => Promise<void> | void
  /** Until something starts it again. */
  awayMs: number
  start: () => Promise<void> | void
}

/** RestartSec of the units. */
const restartMs = 2_000
/** Under load, before each kill and after each start. */
const calmMs = 1_500

function killable({ parts, operator, ports, startFront }: Installation): Record<string, Part> {
  const web = (index: 0 | 1): Part => ({
    kill: () => parts.web[index].kill(),
    awayMs: restartMs,
    async start() {
      parts.web[index] = await operator.start('web', ports.web[index])
    },
  })
  return {
    'web 1': web(0),
    'web 2': web(1),
    worker: {
      kill: () => parts.worker.kill(),
      awayMs: restartMs,
      async start() {
        parts.worker = await operator.start('worker', ports.worker)
      },
    },
    Redis: { kill: parts.redis.stop, awayMs: 1_000, start: parts.redis.start },
    nginx: {
      kill: () => parts.front.kill(),
      awayMs: 500,
      async start() {
        parts.front = await startFront()
      },
    },
    'the S3 server': { kill: parts.s3.kill, awayMs: 2_000, start: parts.s3.start },
    'the mail server': { kill: parts.mails.goDown, awayMs: 2_000, start: parts.mails.comeBack },
    'the primary of PostgreSQL': {
      kill: () => parts.primary.signal('SIGKILL'),
      awayMs: 500,
      start: () => parts.primary.start(),
    },
    'the standby of PostgreSQL': {
      kill: () => parts.standby.signal('SIGKILL'),
      awayMs: 500,
      start: () => parts.standby.start(),
    },
  }
}

/** @param times how often each part is killed */
export async function killEachPart(
  installation: Installation,
  step: Report['step'],
  times: number,
): Promise<void> {
  await step(`Each part is killed ${times} times under load`, async (each) => {
    const jobs = await startJobs(installation)
    const parts = Object.entries(killable(installation))
    try {
      await underLoad(installation, each, async (load) => {
        for (const [name, part] of parts) await killPart(name, part, { load, step: each, times })
      })
    } finally {
      await jobs.stop(each, parts.length * times)
    }
  })
}

export async function killPart(
  name: string,
  { kill, awayMs, start }: Part,
  { load, step: { note, promise }, times }: { load: Load; step: Step; times: number },
): Promise<void> {
  const before = load.counts()
  const upMs: number[] = []
  const refusedMs: number[] = []
  const broken = { lost: 0, doubled: 0 }
  for (let turn = 0; turn < times; turn++) {
    await sleep(calmMs)
    const killedAt = performance.now()
    await kill()
    await sleep(awayMs)
    await start()
    const upAt = performance.now()
    await sleep(calmMs)
    const { lost, doubled } = await load.audit()
    broken.lost = Math.max(broken.lost, lost)
    broken.doubled = Math.max(broken.doubled, doubled)
    upMs.push(upAt - killedAt)
    refusedMs.push(Math.max(0, load.lastRefusedAt() - upAt))
  }
  const after = load.counts()
  const [served, refused, cut] = (['served', 'refused', 'cut'] as const).map(
    (key) => after[key] - before[key],
  )
  note(
    `${name}: up ${seconds(Math.max(...upMs))} after the kill at most, and the last request refused ` +
      `${seconds(Math.max(...refusedMs))} later at most; ${served} served, ${refused} refused, ${cut} cut off`,
  )
  promise(
    `${name}: after each of ${times} kills, ${broken.lost} lost and ${broken.doubled} doubled`,
    broken.lost === 0 && broken.doubled === 0,
  )
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

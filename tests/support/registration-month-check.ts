/** What has to be true after a month of registrations. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createSealer } from '../../server/audit/sealer.ts'
import {
  type RegistrationTransition,
  registrationWorkflow,
} from '../../server/contract/workflows/registration-workflow.ts'
import { liveMonth } from './registration-month.ts'
import type { TestServices } from './services.ts'

const rows: readonly RegistrationTransition[] = registrationWorkflow.rows
/** Told to operations when the fifth attempt fails, and to nobody before. */
const notOfEveryStep = new Set(['registration-probe-failed'])

export async function checkMonth(services: TestServices, { count, seed }: { count: number; seed: number }) {
  const month = await liveMonth(services, { count, seed })
  let clocks = 0
  for (const app of month.apps) {
    const kept = await services.prisma.registrationClock.findMany({
      where: { registrationId: app.id },
      orderBy: { startedAt: 'asc' },
    })
    for (const kind of ['promise', 'authenticity', 'enablement'] as const) {
      const found = kept
        .filter((clock) => clock.kind === kind)
        .map(({ days, receivedOn, dueOn, usedDays, breachedAt }) => ({
          days,
          received: receivedOn,
          due: dueOn,
          used: usedDays,
          overdue: breachedAt !== null,
        }))
      expect(found, `${kind} of ${app.id}`).toEqual(app[kind])
      clocks += found.length
    }
    await checkMails(services, app.id, month.reviewers.length)
  }
  await checkChain(services)
  const threads = { threadId: { in: month.apps.map(({ id }) => id) } }
  return {
    clocks,
    registrations: month.apps.length,
    events: await services.prisma.registrationEvent.count(),
    mails: await services.prisma.outboxMail.count({ where: threads }),
    auditRows: await services.prisma.auditEvent.count(),
  }
}

/** Each step of the log has the mails that the table names, each once; each escalation one for whoever is escalations. */
async function checkMails(services: TestServices, registrationId: string, reviewers: number): Promise<void> {
  const [events, mails] = await Promise.all([
    services.prisma.registrationEvent.findMany({ where: { registrationId } }),
    services.prisma.outboxMail.findMany({ where: { threadId: registrationId } }),
  ])
  const expected = events
    .flatMap(({ event, from }) =>
      Object.keys(rows.find((row) => row.from === from && row.event === event)?.emails ?? {}),
    )
    .filter((name) => !notOfEveryStep.has(name))
  const sent = mails.map(({ template }) => template).filter((template) => template !== 'review-escalation')
  expect(sent.sort(), registrationId).toEqual([...expected].sort())

  const escalations = mails.filter(({ template }) => template === 'review-escalation')
  const once = new Set(escalations.map(({ toAddress, props }) => `${toAddress} ${JSON.stringify(props)}`))
  expect(once.size).toBe(escalations.length)
  const levels = events.filter(({ event }) => event.startsWith('clock_'))
  expect(escalations.length).toBeGreaterThanOrEqual(levels.length)
  expect(escalations.length).toBeLessThanOrEqual(levels.length * (reviewers + 20))
  const distinct = new Set(levels.map(({ event, detail }) => `${event} ${JSON.stringify(detail)}`))
  expect(distinct.size).toBe(levels.length)
}

async function checkChain(services: TestServices): Promise<void> {
  const headFolder = await mkdtemp(join(tmpdir(), 'audit-heads-'))
  try {
    const sealer = createSealer({ ...services, headFolders: { first: headFolder } })
    await sealer.seal()
    await sealer.writeHead()
    expect(await sealer.verify()).toMatchObject({
      intact: true,
      waiting: 0,
      heads: 1,
      sealed: await services.prisma.auditEvent.count(),
    })
  } finally {
    await rm(headFolder, { recursive: true })
  }
}

/**
 * The history of a demonstration: three organizations with their apps, keys and agreements, a review queue, an incident.
 * Actions of people run through the domain's verbs, with a clock that is set to each step. Calls and days of the status page
 * are written in bulk. No email is sent, and no job is added.
 */
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { createApp } from '../../server/app.ts'
import type { securityQuestionIds } from '../../server/contract/workflows/security-questions.ts'
import { answerForDemonstration } from '../../server/outbound/demonstration-sites.ts'
import { createOutbound } from '../../server/outbound/outbound.ts'
import { createServices, type Services } from '../../server/services.ts'
import type { CoreOptions } from '../../server/start/core.ts'
import { seedDemoPeople } from '../demo.ts'
import { appSteps } from './apps.ts'
import { writeCalls } from './calls.ts'
import { incidentSteps, writeStatusDays } from './incidents.ts'
import { monthPeople, type OrganizationId, organizations, who } from './people.ts'
import { productionKeySteps } from './production-keys.ts'
import { sandboxKeySteps } from './sandbox-keys.ts'
import { createDays, createScene, type Days, type Scene, type Step } from './scene.ts'

/** The days of history; the oldest step is this many days ago. */
const monthDays = 48
/** Days of the status page. */
const statusDays = 44

/** `none` if this database must never get a history. */
type MonthState = 'none' | 'begun' | 'whole'
type Marked = Pick<Services, 'prisma'>

export async function readMonth({ prisma }: Marked): Promise<MonthState | null> {
  const row = await prisma.demonstration.findUnique({ where: { id: 1 } })
  return (row?.state as MonthState | undefined) ?? null
}

/** Records that the month ends now, unless its state is already set. */
export const beginMonth = (services: Marked, now: Date): Promise<unknown> => mark(services, 'begun', now)

/** Records that this database gets no history, unless its state is already set. */
export const skipMonth = (services: Marked, now: Date): Promise<unknown> => mark(services, 'none', now)

const mark = ({ prisma }: Marked, state: MonthState, at: Date) =>
  prisma.demonstration.createMany({ data: [{ id: 1, state, at }], skipDuplicates: true })

type MonthOptions = Pick<CoreOptions, 'env' | 'log' | 'appUrl'> & { password: string }

/** Continues after the last recorded step, with days relative to the same moment as before. */
export async function seedMonth({ env, log, appUrl, password }: MonthOptions): Promise<void> {
  let now = new Date()
  const reach = { on: true }
  const services = createServices({
    ...{ env, log, appUrl },
    clock: () => now,
    jobs: { add: async () => {} },
    // Also on installations whose server does not answer for these sites.
    outbound: createOutbound({ answerFor: answerForDemonstration }),
    send: async (url, init) => {
      if (!reach.on) throw new Error('nobody answers')
      return app.fetch(new Request(url, init), { incoming: { socket: { remoteAddress: '127.0.0.1' } } })
    },
  })
  const app = createApp(services)
  const { prisma, calendar } = services
  try {
    const begun = await prisma.demonstration.findUniqueOrThrow({ where: { id: 1 } })
    const days = createDays(calendar, begun.at)
    const scene = createScene(services, reach)
    for (const [index, step] of inOrder(stepsOf(days, password)).entries()) {
      if (index < begun.steps) continue
      now = step.at
      scene.begin(step.name)
      await step.act(scene)
      await prisma.demonstration.update({ where: { id: 1 }, data: { steps: index + 1 } })
    }
    await prisma.demonstration.update({ where: { id: 1 }, data: { state: 'whole' } })
  } finally {
    await services.close()
  }
}

const inOrder = (steps: readonly Step[]): Step[] =>
  [...steps].sort((one, other) => one.at.getTime() - other.at.getTime())

function stepsOf(days: Days, password: string): Step[] {
  const first = days.back(monthDays, '09:00')
  return [
    { at: first, name: 'people', act: (scene) => makePeople(scene, password) },
    ...organizationSteps(days),
    ...appSteps(days),
    ...sandboxKeySteps(days),
    ...productionKeySteps(days),
    ...incidentSteps(days),
    ...tickSteps(days),
    { at: days.end, name: 'status days', act: (scene) => writeStatusDays(scene, days, statusDays) },
    { at: days.end, name: 'calls', act: (scene) => writeCalls(scene, days) },
    { at: days.end, name: 'emails', act: closeEmails },
  ]
}

async function makePeople(scene: Scene, password: string): Promise<void> {
  const { services, prisma, clock } = scene
  await seedDemoPeople(services, password, monthPeople)
  const createdAt = clock()
  // The demonstration accounts were created today, but act during the whole month.
  await prisma.account.updateMany({
    where: { isDemo: true, email: { in: Object.values(who) } },
    data: { createdAt, emailVerifiedAt: createdAt },
  })
  await prisma.organization.updateMany({
    where: {
      name: { in: Object.values(organizations).map(({ name }) => name) },
      createdBy: { isDemo: true },
    },
    data: { createdAt },
  })
  const data: Prisma.MembershipCreateManyInput[] = []
  for (const { email, realm, memberOf } of monthPeople) {
    if (!memberOf) continue
    const { id: accountId } = await prisma.account.findUniqueOrThrow({
      where: { realm_email: { realm, email } },
    })
    const organizationId = await scene.organizationId(memberOf)
    data.push({ organizationId, accountId, role: 'developer', createdAt })
  }
  await prisma.membership.createMany({ data, skipDuplicates: true })
}

const securityAnswers: Readonly<Record<(typeof securityQuestionIds)[number], string>> = {
  hosting: 'A cloud region in Ohio. Nothing leaves the United States.',
  encryption: 'Disks, backups and laptops are encrypted. Every connection uses TLS 1.3.',
  access: 'Four engineers with a second factor. Access ends on the day that somebody leaves.',
  keys: 'In the secrets manager of the cloud provider, read by the server alone.',
  logging: 'Each access to a patient is logged. The security lead reads the report every week.',
  incidents: 'The practice hears from our security lead within 24 hours, by phone and email.',
  deletion: 'Within 30 days of the end, backups included. We confirm it in writing.',
  subcontractors: 'Nobody besides the cloud provider, which has signed a BAA with us.',
}

/** A confirmed domain and the security profile, which production keys require. */
function organizationSteps(days: Days): Step[] {
  const at = days.back(47, '10:00')
  return (Object.keys(organizations) as OrganizationId[]).flatMap((id): Step[] => {
    const { domain, legalName, address, ownerName: contactName } = organizations[id]
    const confirmDomain = async (scene: Scene) => {
      const organizationId = await scene.organizationId(id)
      const mailbox = `security@${domain}`
      await scene.organizationDomains.request({ organizationId, mailbox }, await scene.ownerOf(id))
      const token = await scene.tokenMailedTo(mailbox)
      await scene.organizationDomains.confirm(token, await scene.ownerOf(id))
    }
    const saveProfile = async (scene: Scene) => {
      const organizationId = await scene.organizationId(id)
      const party = { legalName, address, contactName, contactEmail: `legal@${domain}` }
      const answers = { ...party, ...securityAnswers } as never
      const form = { organizationId, version: 0, answers }
      await scene.productionKeys.profiles.save(form, await scene.ownerOf(id))
    }
    return [
      { at, name: `${id} domain`, act: confirmDomain },
      { at, name: `${id} profile`, act: saveProfile },
    ]
  })
}

/** The days on which scheduled jobs have something to do, because running them for every day would take seconds. */
const tickDays = [31, 20, 10, 7, 4, 0]

/** Runs the scheduled jobs: reminders, expiries, escalations. */
function tickSteps(days: Days): Step[] {
  return tickDays.map((back) => {
    const at = back === 0 ? days.end : days.back(back, '23:30')
    return {
      at,
      name: `ticks ${back}`,
      act: async ({ registrations, keys, productionKeys, agreements }) => {
        await registrations.tick(at)
        await keys.tick(at)
        await agreements.tick(at)
        await productionKeys.tick(at)
      },
    }
  })
}

/** Marks all emails as delivered and erases their links, as on delivery. */
async function closeEmails({ prisma, clock }: Scene): Promise<void> {
  await prisma.$executeRaw`
    UPDATE portal.outbox_mail SET state = 'sent', sent_at = created_at, sealed_links = NULL
     WHERE state = 'waiting' AND created_at <= ${clock()}`
}

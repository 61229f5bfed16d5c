/**
 * The history that a demonstration begins with: three organizations, their apps, keys and agreements, a reviewers'
 * queue, an incident. What people do goes through the verbs of the domain, with a clock that is set to each step; calls
 * and the days of the status page are written in bulk. No email leaves, and no job is added.
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

/** Days of history; the oldest step is of so many days back. */
const monthDays = 48
/** Days of the status page. */
const statusDays = 44

/** `none`: this database is to have no history, however often it is seeded. */
type MonthState = 'none' | 'begun' | 'whole'
type Marked = Pick<Services, 'prisma'>

export async function readMonth({ prisma }: Marked): Promise<MonthState | null> {
  const row = await prisma.demonstration.findUnique({ where: { id: 1 } })
  return (row?.state as MonthState | undefined) ?? null
}

/** The month is to end now. What was decided before stays. */
export const beginMonth = (services: Marked, now: Date): Promise<unknown> => mark(services, 'begun', now)

/** Nothing is made, now or later. */
export const skipMonth = (services: Marked, now: Date): Promise<unknown> => mark(services, 'none', now)

const mark = ({ prisma }: Marked, state: MonthState, at: Date) =>
  prisma.demonstration.createMany({ data: [{ id: 1, state, at }], skipDuplicates: true })

type MonthOptions = Pick<CoreOptions, 'env' | 'log' | 'appUrl'> & { password: string }

/** Goes on behind the last step that was noted, with the days counted back from the same moment as before. */
export async function seedMonth({ env, log, appUrl, password }: MonthOptions): Promise<void> {
  let now = new Date()
  const reach = { on: true }
  const services = createServices({
    ...{ env, log, appUrl },
    clock: () => now,
    jobs: { add: async () => {} },
    // Also where the server itself will not answer for them.
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
  // The sign-ins of every demonstration were made today, and their owners have been here all month.
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

/** A confirmed domain and the security profile, without which no one asks for a production key. */
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

/** Days back on which something is due. A tick of every day would take seconds. */
const tickDays = [31, 20, 10, 7, 4, 0]

/** What time alone does: reminders, ends, escalations. */
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

/** Emails of the past were read in the past. Their links are erased, as on delivery. */
async function closeEmails({ prisma, clock }: Scene): Promise<void> {
  await prisma.$executeRaw`
    UPDATE portal.outbox_mail SET state = 'sent', sent_at = created_at, sealed_links = NULL
     WHERE state = 'waiting' AND created_at <= ${clock()}`
}

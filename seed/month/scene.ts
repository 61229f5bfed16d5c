/** What the steps of the month act through: the domain's own verbs, with a clock that is set to each step. */
import { randomUUID } from 'node:crypto'
import { tokenInLink } from '../../server/contract/portal/paths.ts'
import { isBusinessDay, type OfficeCalendar } from '../../server/domain/business-days/business-days.ts'
import { addDays } from '../../server/domain/business-days/calendar-date.ts'
import type { Services } from '../../server/services.ts'
import { type OrganizationId, organizations, type PracticeId, practices, type Who, who } from './people.ts'

/** A step is named, so that a form that was sent before the seed was killed is not sent twice. */
export type Step = Readonly<{ at: Date; name: string; act: (scene: Scene) => Promise<unknown> }>

type Verbs = Readonly<Record<string, (scene: Scene, subject: never, ...details: never[]) => Promise<unknown>>>
type Row<Table extends Verbs> = {
  [Verb in keyof Table]: Table[Verb] extends (
    scene: Scene,
    subject: never,
    ...details: infer Details
  ) => unknown
    ? readonly [at: Date, verb: Verb, ...details: Details]
    : never
}[keyof Table]

/** Stories of things that have a name, in rows of a moment, a verb of the table and what the verb needs. */
export function storiesOf<Table extends Verbs>(verbs: Table) {
  return (subject: Parameters<Table[keyof Table]>[1], ...rows: readonly Row<Table>[]): Step[] =>
    rows.map(([at, verb, ...details], index) => ({
      at,
      name: `${(subject as { readonly name: string }).name} ${String(verb)} ${index}`,
      act: (scene) => (verbs[verb] as Verbs[string])(scene, subject as never, ...(details as never[])),
    }))
}

const dayMs = 86_400_000
const minuteMs = 60_000

/** When things happened, counted back from the moment at which the demonstration was made. */
export interface Days {
  /** So many days back, at an hour of the office's clock. */
  readonly back: (days: number, time: string) => Date
  /** So many business days back. What is due in business days is due then on every day of the week. */
  readonly business: (days: number, time: string) => Date
  readonly end: Date
}

/** @param end nothing is later */
export function createDays(calendar: OfficeCalendar, end: Date): Days {
  const today = calendar.dateOf(end)
  const at = (date: string, time: string): Date => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const found = calendar.endOf(date).getTime() - dayMs + 1_000 + (hours * 60 + minutes) * minuteMs
    return new Date(Math.min(found, end.getTime()))
  }
  return {
    back: (days, time) => at(addDays(today, -days), time),
    business: (days, time) => {
      let [date, left] = [today, days]
      while (left > 0) {
        date = addDays(date, -1)
        if (isBusinessDay(date)) left -= 1
      }
      return at(date, time)
    },
    end,
  }
}

const staff: readonly Who[] = ['rhea', 'tomas', 'olu']
const practiceStaff: readonly Who[] = ['theo', 'iris', 'nora']

export type Scene = ReturnType<typeof createScene>

/**
 * Rows are found by name at each step, and nothing is kept between two of them: a seed that was killed goes on behind
 * the last step that it noted.
 */
export function createScene(services: Services, reach: { on: boolean }) {
  const { prisma, clock } = services
  const accounts = new Map<Who, string>()
  let step = ''

  async function accountIdOf(name: Who): Promise<string> {
    const realm = staff.includes(name) ? 'staff' : practiceStaff.includes(name) ? 'practice' : 'developer'
    const where = { realm_email: { realm, email: who[name] } } as const
    const { id } = await prisma.account.findUniqueOrThrow({ where, select: { id: true } })
    accounts.set(name, id)
    return id
  }

  async function actor(name: Who) {
    return {
      accountId: accounts.get(name) ?? (await accountIdOf(name)),
      sessionId: 'seed',
      // Of the block for documentation, RFC 5737.
      ip: '203.0.113.20',
      userAgent: 'Demonstration',
      correlationId: randomUUID(),
      authenticatedAt: clock(),
      mfa: 'not_asked' as const,
    }
  }

  /** The same for a step that is made again. */
  const key = (part = '') => `month-${step}${part}`.slice(0, 60)

  return {
    ...services,
    services,
    actor,
    key,
    ownerOf: (id: OrganizationId) => actor(organizations[id].owner),
    async organizationId(id: OrganizationId): Promise<string> {
      const { name, owner } = organizations[id]
      const where = { name, createdBy: { realm: 'developer', email: who[owner] } } as const
      return (await prisma.organization.findFirstOrThrow({ where, select: { id: true } })).id
    },
    /** While no one reaches the server, as in the incident of the month. */
    async withoutServer(work: () => Promise<unknown>): Promise<void> {
      reach.on = false
      try {
        await work()
      } finally {
        reach.on = true
      }
    },
    begin: (name: string) => {
      step = name
    },
    practiceId: async (id: PracticeId) =>
      (await prisma.practice.findUniqueOrThrow({ where: { slug: practices[id].slug } })).id,
    /** Of the newest email to an address. */
    async tokenMailedTo(toAddress: string): Promise<string> {
      const email = await prisma.outboxMail.findFirstOrThrow({
        where: { toAddress, sealedLinks: { not: null } },
        orderBy: { createdAt: 'desc' },
      })
      const [url = ''] = Object.values(services.mail.openLinks(email))
      return tokenInLink(url) ?? ''
    },
  }
}

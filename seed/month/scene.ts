/** The scene of the month's steps: the domain's verbs, with a clock that is set to each step. */
import { randomUUID } from 'node:crypto'
import { tokenInLink } from '../../server/contract/portal/paths.ts'
import { isBusinessDay, type OfficeCalendar } from '../../server/domain/business-days/business-days.ts'
import { addDays } from '../../server/domain/business-days/calendar-date.ts'
import type { Services } from '../../server/services.ts'
import { type OrganizationId, organizations, type PracticeId, practices, type Who, who } from './people.ts'

/** Steps have names, so that after a kill no step runs twice. */
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

/** Times relative to the creation of the demonstration. */
export interface Days {
  /** A number of days ago, at a time in the office's zone. */
  readonly back: (days: number, time: string) => Date
  /** A number of business days ago, so that deadlines in business days match on every weekday. */
  readonly business: (days: number, time: string) => Date
  readonly end: Date
}

/** @param end the latest time */
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
 * Steps find rows by name and share no state, so that a killed seed can continue after the last recorded step.
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
      // An address for documentation, RFC 5737.
      ip: '203.0.113.20',
      userAgent: 'Demonstration',
      correlationId: randomUUID(),
      authenticatedAt: clock(),
      mfa: 'not_asked' as const,
    }
  }

  /** The form key, which is the same if the step is repeated. */
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
    /** Runs work while the sign-in service is down, as in the incident of the month. */
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
    /** The token in the newest email to an address. */
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

/** What the steps of the month act through: the domain's own verbs, with a clock that is set to each step. */
import { randomUUID } from 'node:crypto'
import { tokenInLink } from '../../server/contract/portal/paths.ts'
import type { Services } from '../../server/services.ts'
import { type OrganizationId, organizations, type PracticeId, practices, type Who, who } from './people.ts'

const realms = { staff: 'staff', practice: 'practice', developer: 'developer' } as const
const realmOf: Readonly<Record<Who, keyof typeof realms>> = {
  dana: 'developer',
  milo: 'developer',
  petra: 'developer',
  ansel: 'developer',
  theo: 'practice',
  iris: 'practice',
  nora: 'practice',
  rhea: 'staff',
  tomas: 'staff',
  olu: 'staff',
}

/** A step is named, so that a form that was sent before the seed was killed is not sent twice. */
export type Step = Readonly<{ at: Date; name: string; act: (scene: Scene) => Promise<unknown> }>

export type Scene = ReturnType<typeof createScene>

/**
 * Rows are found by name at each step, and nothing is kept between two of them: a seed that was killed goes on behind
 * the last step that it noted.
 */
export function createScene(services: Services, reach: { on: boolean }) {
  const { prisma, clock } = services
  const accounts = new Map<string, string>()
  let step = ''

  async function actor(name: Who) {
    const known = accounts.get(name)
    const accountId =
      known ??
      (
        await prisma.account.findUniqueOrThrow({
          where: { realm_email: { realm: realmOf[name], email: who[name] } },
          select: { id: true },
        })
      ).id
    accounts.set(name, accountId)
    return {
      accountId,
      sessionId: 'seed',
      // Of the block for documentation, RFC 5737.
      ip: '203.0.113.20',
      userAgent: 'Demonstration',
      correlationId: randomUUID(),
      authenticatedAt: clock(),
      mfa: 'not_asked' as const,
    }
  }

  const organizationIds = new Map<OrganizationId, string>()
  async function organizationId(id: OrganizationId): Promise<string> {
    const { name, owner } = organizations[id]
    const known = organizationIds.get(id)
    if (known) return known
    const createdBy = { realm: 'developer', email: who[owner] } as const
    const found = await prisma.organization.findFirstOrThrow({
      where: { name, createdBy },
      select: { id: true },
    })
    organizationIds.set(id, found.id)
    return found.id
  }

  return {
    ...services,
    services,
    actor,
    organizationId,
    /** While nobody reaches the server, as in the incident of the month. */
    async withoutServer(work: () => Promise<unknown>): Promise<void> {
      reach.on = false
      try {
        await work()
      } finally {
        reach.on = true
      }
    },
    /** The same for a step that is made again. */
    key: (part = '') => `month-${step}${part}`.slice(0, 60),
    begin: (name: string) => {
      step = name
    },
    practiceId: async (id: PracticeId) =>
      (await prisma.practice.findUniqueOrThrow({ where: { slug: practices[id].slug } })).id,
    async registration(name: string) {
      const row = await prisma.registration.findFirstOrThrow({ where: { name, kind: 'app' } })
      return { registrationId: row.id, version: row.version, idempotencyKey: `month-${step}`, row }
    },
    async productionRequest(name: string) {
      const row = await prisma.productionKeyRequest.findFirstOrThrow({ where: { name } })
      return { requestId: row.id, version: row.version, idempotencyKey: `month-${step}`, row }
    },
    /** Of the newest email to an address. */
    async tokenMailedTo(toAddress: string): Promise<string> {
      const email = await prisma.outboxMail.findFirstOrThrow({
        where: { toAddress, sealedLinks: { not: null } },
        orderBy: { createdAt: 'desc' },
      })
      const [url = ''] = Object.values(services.mail.openLinks(email))
      return tokenInLink(url) ?? ''
    },
    async keyRequest(name: string) {
      return prisma.sandboxKeyRequest.findFirstOrThrow({ where: { name } })
    },
  }
}

/** Stored rows of everything that an inbox lists, in the states in which it waits for somebody. */
import { randomUUID } from 'node:crypto'
import { type InboxKind, isWorkflowKind, type WorkflowKind } from '../../server/contract/workflows/inbox.ts'
import type { InboxFact } from '../../server/contract/workflows/inbox-steps.ts'
import type { agreementSupport, Parties } from './agreements.ts'
import { addAccount } from './people.ts'
import type { TestServices } from './services.ts'

const dayMs = 86_400_000

/** @param services asked for when needed: tests make them before they run */
export function inboxSubjects(
  services: () => TestServices,
  support: ReturnType<typeof agreementSupport>,
  usual: () => Parties,
) {
  /** A stored row in that state, of which that is true. */
  function make(
    kind: InboxKind,
    state: string,
    fact: InboxFact | null = null,
    of: Parties = usual(),
  ): Promise<string> {
    return isWorkflowKind(kind) ? makeSubject(kind, state, fact, of) : makeDuty(kind, state, of)
  }

  const at = (days: number) => new Date(services().clock().getTime() + days * dayMs)

  async function makeSubject(
    kind: WorkflowKind,
    state: string,
    fact: InboxFact | null,
    of: Parties,
  ): Promise<string> {
    const { prisma } = services()
    const { organizationId, practiceId, owner } = of
    const now = services().clock()
    const shared = { organizationId, state, name: 'Nightly import', createdAt: now, updatedAt: now }
    if (kind === 'registration') {
      const data = {
        kind: 'app',
        form: {},
        createdById: owner.accountId,
        silentSince: fact === 'submitted_incomplete' ? now : null,
        probeAttempts: fact === 'probes_failed' ? 5 : 4,
      }
      return (await prisma.registration.create({ data: { ...shared, ...data } })).id
    }
    if (kind === 'production_key_request') {
      const data = {
        practiceId,
        practiceSlug: 'old-quay',
        requestedById: owner.accountId,
        level: 'full' as const,
        termDays: 90,
        submittedAt: now,
        invitedAt: now,
        reissues: fact === 'reissues_left' ? 2 : 3,
      }
      return (await prisma.productionKeyRequest.create({ data: { ...shared, ...data } })).id
    }
    if (kind === 'sandbox_key_request') {
      const data = {
        practiceId,
        requestedById: owner.accountId,
        projectDescription: 'Results of synthetic people.',
        technicalContact: owner.email,
        level: 'read_only' as const,
        termsVersion: '1',
        termsSha256: 'x',
        idempotencyKey: randomUUID(),
      }
      return (await prisma.sandboxKeyRequest.create({ data: { ...shared, ...data } })).id
    }
    return kind === 'agreement' ? makeAgreement(state, fact, of) : makeSystem(state, of)
  }

  async function makeAgreement(state: string, fact: InboxFact | null, of: Parties): Promise<string> {
    const { organizationId, practiceId } = of
    const now = services().clock()
    const { id } = await services().prisma.agreement.create({
      data: {
        ...{ kind: 'baa', state, organizationId, practiceId, createdAt: now, activeAt: now },
        rejectedNumber: fact === 'rejected' ? 1 : null,
      },
    })
    await setSigners(id, fact, of)
    if (fact === 'return_owed')
      await services().prisma.agreementReturnTask.create({
        data: { agreementId: id, openedAt: now, dueAt: now },
      })
    const signed = {
      unsigned: [],
      rejected: [],
      none_signed: [],
      half_signed: ['developer'],
      developer_left: ['practice'],
      practice_left: ['developer'],
    }
    const sides = (fact && (signed as Partial<Record<InboxFact, string[]>>)[fact]) ?? [
      'developer',
      'practice',
    ]
    const words = { legalName: 'x', title: 'x', authority: 'x', consent: 'x', sha256: 'x' }
    await services().prisma.agreementSignature.createMany({
      data: sides.map((side) => ({ ...words, agreementId: id, number: 1, side, at: now })),
    })
    return id
  }

  /** The signatories of both sides; one of them is a person who has left. */
  async function setSigners(
    agreementId: string,
    fact: InboxFact | null = null,
    of: Parties = usual(),
  ): Promise<void> {
    const { owner, signatory } = of
    const left = await support.makePerson('Kim Left')
    const named = {
      developer: fact === 'developer_left' ? left : owner,
      practice: fact === 'practice_left' ? left : signatory,
    }
    await services().prisma.agreementSignatory.deleteMany({ where: { agreementId } })
    await services().prisma.agreementSignatory.createMany({
      data: Object.entries(named).map(([side, { accountId }]) => ({
        ...{ agreementId, side, accountId },
        ...{ legalName: 'Kim Sample', title: 'Partner' },
      })),
    })
  }

  async function makeSystem(state: string, of: Parties): Promise<string> {
    const { organizationId, practiceId } = of
    const now = services().clock()
    const app = { environment: 'production', audience: 'backend', authentication: 'private_key_jwt' } as const
    const { id: clientId } = await services().prisma.client.create({
      data: {
        ...app,
        ...{ id: `app-${randomUUID()}`, appId: randomUUID(), organizationId, name: 'Tidepath reports' },
        ...{ scope: 'system/Patient.rs', createdAt: now },
      },
    })
    const asked = { scope: 'system/Patient.rs', purpose: 'Reports of the practice.', requestedAt: now }
    const data = { ...asked, practiceId, clientId, state }
    return (await services().prisma.practiceSystemAuthorization.create({ data })).id
  }

  async function makeDuty(kind: InboxKind, state: string, of: Parties): Promise<string> {
    const { prisma } = services()
    switch (kind) {
      case 'expiring_key':
        return state === 'sandbox' ? makeKey(of) : makeAccess(of, { expiresAt: at(20), certifiedAt: at(-70) })
      case 'suspended_key': {
        const id = await makeAccess(of, { expiresAt: at(200), certifiedAt: at(0) })
        return (await prisma.productionKeyRequest.update({ where: { id }, data: { state: 'suspended' } })).id
      }
      case 'access_review':
        return makeAccess(of, { expiresAt: at(200), certifiedAt: at(-370) })
      case 'withhold_request': {
        const { id: accountId } = await addAccount(services(), 'patient', { name: 'Wren Testwell' })
        const data = {
          practiceId: of.practiceId,
          patientId: 'pt-wren-testwell',
          accountId,
          createdAt: at(-1),
        }
        return (await prisma.withholdRequest.create({ data })).id
      }
      case 'access_alert': {
        const subject = { subjectKind: 'app', subjectId: randomUUID(), name: 'Tidepath reports' }
        const { id } = await prisma.accessAlert.create({
          data: {
            ...subject,
            practiceId: of.practiceId,
            rule: 'bulk_export',
            organizationName: 'Samplewood Health Apps',
            day: at(0),
            explanation: 'Files of 1 export were downloaded, and none in the 30 days before.',
            createdAt: at(0),
          },
        })
        return id
      }
      case 'role_request': {
        const [requester, subject] = [await support.makeStaff('ops'), await support.makeStaff('reviewer')]
        const people = { requestedById: requester.accountId, accountId: subject.accountId }
        const data = { ...people, role: 'ops' as const, state, reason: 'Needed on weekends.' }
        const times = { createdAt: at(-1), expiresAt: at(6) }
        return (await prisma.staffRoleRequest.create({ data: { ...data, ...times } })).id
      }
      case 'incident': {
        const opener = await support.makeStaff('ops')
        const { id } = await services().status.openIncident(incident(), opener.fresh())
        return id
      }
      case 'failed_email': {
        await addMail('waiting')
        await addMail('failed')
        return idOfName('failed_email welcome')
      }
      case 'failed_job':
        await addJob()
        return idOfName('failed_job send-mail')
      case 'app_token_errors':
        return makeAppInTrouble(of)
      default: {
        const data = { component: 'api', state: 'down', source: 'automatic', since: at(0) }
        await prisma.statusComponent.upsert({ where: { component: 'api' }, create: data, update: data })
        return idOfName('component api')
      }
    }
  }

  async function idOfName(name: string): Promise<string> {
    const [row] = await services().prisma.$queryRaw<{ id: string }[]>`SELECT md5(${name})::uuid AS id`
    return row?.id ?? ''
  }

  async function addMail(state: 'waiting' | 'failed'): Promise<void> {
    const now = services().clock()
    await services().prisma.outboxMail.create({
      data: {
        ...{ template: 'welcome', toAddress: 'wren@people.example', props: { name: 'Wren' }, state },
        ...{ messageId: randomUUID(), attempts: 1, lastError: '550 no such user', nextAttemptAt: now },
        ...{ createdAt: now },
      },
    })
  }

  async function addJob(): Promise<void> {
    const jobKey = randomUUID()
    await services().prisma.$transaction((tx) =>
      services().jobs.add(tx, 'send-mail', { id: jobKey }, { jobKey, maxAttempts: 1 }),
    )
    await services().database.ownerPool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'TypeError: x' WHERE key = $1`,
      [jobKey],
    )
  }

  /** An app in production whose last token request was refused, and whose twin in the sandbox was refused, too. */
  async function makeAppInTrouble({ organizationId }: Parties): Promise<string> {
    const appId = randomUUID()
    const shared = { appId, organizationId, name: 'Tidepath', scope: 'openid', createdAt: at(-9) }
    const kind = { audience: 'patient', authentication: 'client_secret_basic' } as const
    for (const environment of ['sandbox', 'production'] as const) {
      const id = `${environment}-${appId}`
      await services().prisma.client.create({ data: { ...shared, ...kind, id, environment } })
      await noteTokenRequest(id, at(-2), null)
      await noteTokenRequest(id, at(-1), 'wrong_client_secret')
    }
    return appId
  }

  /** @param refusal null for a token that was given */
  async function noteTokenRequest(
    clientId: string,
    when: Date,
    refusal: string | null,
    route = '/r4/{practice}/token',
  ): Promise<void> {
    await services().database.ownerPool.query(
      `INSERT INTO log.activity (at, door, environment, client_id, method, route, status, correlation_id, duration_ms, refusal)
       VALUES ($1, 'smart', $2, $3, 'POST', $4, $5, gen_random_uuid(), 1, $6)`,
      [when, clientId.split('-')[0], clientId, route, refusal === null ? 200 : 400, refusal],
    )
  }

  /** A sandbox key that was called yesterday, and ends in a week. */
  async function makeKey({ organizationId, practiceId, owner }: Parties): Promise<string> {
    const { id } = await services().prisma.apiKey.create({
      data: {
        ...{ organizationId, practiceId, createdById: owner.accountId, name: 'Nightly import' },
        ...{ level: 'read_only', environment: 'sandbox', createdAt: at(-83), expiresAt: at(7) },
        ...{
          prefix: `svc_t${randomUUID().slice(0, 7)}`,
          secretHash: new Uint8Array(Buffer.from(randomUUID())),
        },
      },
    })
    await services().database.ownerPool.query(
      `INSERT INTO log.activity_day (key_id, day, served, refused, last_used_at) VALUES ($1, $2::date, 1, 0, $2)`,
      [id, at(-1)],
    )
    return id
  }

  async function makeAccess(of: Parties, dates: { expiresAt: Date; certifiedAt: Date }): Promise<string> {
    const id = await makeSubject('production_key_request', 'active', null, of)
    await services().prisma.productionKeyRequest.update({ where: { id }, data: dates })
    return id
  }

  return { make, setSigners, at, noteTokenRequest }
}

export const incident = () => ({
  id: randomUUID(),
  kind: 'incident' as const,
  title: 'REST API: slow responses',
  text: 'We are looking for the cause.',
  components: { api: 'degraded' as const },
  reason: 'Alert of the checks, 09:40.',
})

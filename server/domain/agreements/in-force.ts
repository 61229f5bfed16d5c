/** What an organization has signed that covers what it asks for, and whether it is in force at a moment. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { executedStates } from '../../contract/workflows/agreement-workflow.ts'
import type { Core } from '../core.ts'
import type { AgreementDatabase, Cover, DocumentsInForce, InForce } from './agreement-types.ts'

const withDocument = {
  executed: { select: { sha256: true } },
  signatures: { where: { side: 'developer' } },
} as const satisfies Prisma.AgreementInclude

type Row = Prisma.AgreementGetPayload<{ include: typeof withDocument }>

/** @see Agreements.inForce */
export const inForce = (core: Core, db: AgreementDatabase, cover: Cover) =>
  find(core, db, cover, { begun: true })

/** @see Agreements.covering */
export const covering = (core: Core, db: AgreementDatabase, cover: Cover) =>
  find(core, db, cover, { begun: false })

async function find(
  core: Core,
  db: AgreementDatabase,
  cover: Cover,
  { begun }: { begun: boolean },
): Promise<DocumentsInForce> {
  const running = {
    organizationId: cover.organizationId,
    state: { in: [...executedStates] },
    endsAt: { gt: cover.now },
    ...(begun ? { effectiveAt: { lte: cover.now } } : {}),
  }
  const [usage] = await db.agreement.findMany({
    where: { ...running, kind: 'usage_agreement' },
    include: withDocument,
    orderBy: { endsAt: 'desc' },
    take: 1,
  })
  const [baa] =
    cover.practiceId === null
      ? []
      : await db.agreement.findMany({
          where: {
            ...running,
            kind: 'baa',
            practiceId: cover.practiceId,
            ...(cover.level === 'full' ? { level: 'full' } : {}),
            dataClasses: { hasEvery: [...cover.dataClasses] },
            purposes: { hasEvery: [...cover.purposes] },
          },
          include: withDocument,
          orderBy: { endsAt: 'desc' },
          take: 1,
        })
  return {
    usageAgreement: usage ? await toInForce(db, usage) : null,
    usagePolicy: usage ? toPolicy(core, usage) : null,
    baa: baa ? await toInForce(db, baa) : null,
  }
}

async function toInForce(db: AgreementDatabase, row: Row): Promise<InForce> {
  const version = await db.agreementVersion.findUniqueOrThrow({
    where: { agreementId_number: { agreementId: row.id, number: row.number } },
    select: { templateVersion: true, source: true },
  })
  return {
    ...termOf(row),
    version: version.templateVersion ?? version.source,
    sha256: row.executed?.sha256 ?? '',
  }
}

/** Accepted with the agreement, and still the version that is published. */
function toPolicy({ agreementTexts: texts }: Core, row: Row): InForce | null {
  const accepted = row.signatures.find(({ number }) => number === row.number)
  const current = texts.get('usage-policy')
  if (!accepted?.policyVersion || accepted.policySha256 !== current.sha256) return null
  return { ...termOf(row), version: accepted.policyVersion, sha256: accepted.policySha256 }
}

function termOf(row: Row): Pick<InForce, 'agreementId' | 'effectiveAt' | 'expiresAt'> {
  if (!row.effectiveAt || !row.endsAt) throw new Error(`the executed agreement ${row.id} has no term`)
  return { agreementId: row.id, effectiveAt: row.effectiveAt, expiresAt: row.endsAt }
}

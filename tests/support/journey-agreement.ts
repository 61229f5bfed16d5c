/** Agreements in the database of a running server: offered, as a request would have it. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { baaFields, usageFields } from '../../server/contract/workflows/agreements.ts'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { renderAgreement } from '../../server/domain/agreements/render-agreement.ts'
import { createOfficeCalendar } from '../../server/domain/business-days/business-days.ts'

const texts = createAgreementTexts()
// An agreement begins with a day of the office's zone; the UTC day is up to five hours ahead of it.
const calendar = createOfficeCalendar('America/New_York')

type Who = { accountId: string; legalName: string }

/** @returns its id */
export async function addAgreement(
  owner: pg.Pool | pg.Client,
  of: { organizationId: string; practiceId: string | null; developer: Who; practice?: Who; now?: Date },
): Promise<string> {
  const { organizationId, practiceId, developer, practice, now = new Date() } = of
  const id = randomUUID()
  const kind = practiceId === null ? ('usage_agreement' as const) : ('baa' as const)
  const day = (days: number) => calendar.dateOf(new Date(now.getTime() + days * 86_400_000))
  const contact = {
    developerLegalName: 'Samplewood Health Apps, LLC',
    developerAddress: '12 Placeholder Street, Sampleton, VT 05401',
    developerContactName: developer.legalName,
    developerContactEmail: 'privacy@samplewood.example',
  }
  const fields =
    kind === 'usage_agreement'
      ? usageFields.parse(contact)
      : baaFields.parse({
          ...contact,
          practiceLegalName: 'Old Quay Family Practice, P.C.',
          practiceAddress: '3 Harbor Lane, Sampleton, VT 05401',
          practiceContactName: 'Avery Sample',
          practiceContactEmail: 'privacy@oldquay.example',
          services: 'Reminds patients of visits that are due, from the practice’s own schedule.',
          effectiveOn: day(0),
          expiresOn: day(365),
        })
  const cover =
    kind === 'baa'
      ? { level: 'read_only', dataClasses: ['demographics', 'visits'], purposes: ['treatment'] }
      : { level: null, dataClasses: [], purposes: [] }
  const signatories = [
    { side: 'developer' as const, title: 'Chief executive', ...developer },
    ...(practice ? [{ side: 'practice' as const, title: 'Managing partner', ...practice }] : []),
  ]
  const made = await renderAgreement(texts, {
    agreementId: id,
    number: 1,
    kind,
    ...cover,
    signatories,
    fields,
    at: now,
  })
  await owner.query(
    `INSERT INTO portal.agreement (id, kind, organization_id, practice_id, state, level, data_classes, purposes,
       created_at, active_at)
     VALUES ($1, $2, $3, $4, 'offered', $5::portal.key_level, $6, $7, $8, $8)`,
    [id, kind, organizationId, practiceId, cover.level, cover.dataClasses, cover.purposes, now],
  )
  for (const { side, accountId, legalName, title } of signatories)
    await owner.query(
      `INSERT INTO portal.agreement_signatory (agreement_id, side, account_id, legal_name, title)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, side, accountId, legalName, title],
    )
  await owner.query(
    `INSERT INTO portal.agreement_version (agreement_id, number, source, template_name, template_version,
       template_sha256, fields, markdown, file_name, bytes, sha256, created_at)
     VALUES ($1, 1, 'template', $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      made.templateName,
      made.templateVersion,
      made.templateSha256,
      made.fields,
      made.markdown,
      made.fileName,
      Buffer.from(made.bytes),
      made.sha256,
      now,
    ],
  )
  await owner.query(
    `INSERT INTO portal.agreement_event (agreement_id, at, event, "to", actor_kind)
     VALUES ($1, $2, 'offer', 'offered', 'system')`,
    [id, now],
  )
  return id
}

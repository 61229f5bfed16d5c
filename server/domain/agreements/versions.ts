/** The versions of a document. Each stores the exact bytes that people read and sign. */
import type { AgreementVersion, Prisma } from '../../../prisma/generated/client/client.ts'
import type { AgreementKind } from '../../contract/workflows/agreements.ts'
import type { Core } from '../core.ts'
import type { Signatory } from './agreement-types.ts'
import type { AgreementParty } from './parties.ts'
import { type Rendered, renderAgreement } from './render-agreement.ts'
import type { StepContext } from './transition.ts'

export type NewVersion = Prisma.AgreementVersionUncheckedCreateWithoutAgreementInput
type By = { number: number; party: AgreementParty; comment: string | null; now: Date }

/** The version that is offered or was executed. */
export function findVersion({ tx, row }: Pick<StepContext, 'tx' | 'row'>): Promise<AgreementVersion> {
  return tx.agreementVersion.findUniqueOrThrow({
    where: { agreementId_number: { agreementId: row.id, number: row.number } },
  })
}

/** Renders the next version from the published template. @throws Problem `validation` */
export async function drawNext(
  { agreementTexts: texts }: Pick<Core, 'agreementTexts'>,
  { tx, row, party, now }: StepContext,
  { fields, comment }: { fields: unknown; comment: string },
): Promise<NewVersion> {
  const number = row.number + 1
  const signatories = await tx.agreementSignatory.findMany({ where: { agreementId: row.id } })
  const rendered = await renderAgreement(texts, {
    agreementId: row.id,
    number,
    kind: row.kind as AgreementKind,
    level: row.level,
    dataClasses: row.dataClasses,
    purposes: row.purposes,
    signatories: signatories as readonly Pick<Signatory, 'side' | 'legalName' | 'title'>[],
    fields,
    at: now,
  })
  return toVersion(rendered, { number, party, comment, now })
}

export async function storeVersion({ tx, row }: StepContext, version: NewVersion): Promise<void> {
  await tx.agreementVersion.create({ data: { agreementId: row.id, ...version }, select: { number: true } })
}

export function toVersion(rendered: Rendered, by: By): NewVersion {
  return {
    ...madeBy(by),
    source: 'template',
    templateName: rendered.templateName,
    templateVersion: rendered.templateVersion,
    templateSha256: rendered.templateSha256,
    fields: rendered.fields,
    markdown: rendered.markdown,
    fileName: rendered.fileName,
    bytes: Buffer.from(rendered.bytes),
    sha256: rendered.sha256,
  }
}

export function madeBy({ number, party, comment, now }: By) {
  return { number, bySide: party.side, byId: party.accountId, comment, createdAt: now }
}

/** An accounting of disclosures as a file to hand out. Its hash goes into the audit chain, so that it can be verified. */
import { createHash } from 'node:crypto'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { type AccountingInput, account } from './accounting.ts'
import { writeAccountingCsv } from './accounting-csv.ts'
import { writeAccountingPdf } from './accounting-pdf.ts'
import { issuedAction, issuedKind } from './find-issued.ts'

type AccountingFormat = 'pdf' | 'csv'
type Issued = Readonly<{ name: string; type: string; bytes: Uint8Array }>

const writers = {
  pdf: { type: 'application/pdf', write: writeAccountingPdf },
  csv: { type: 'text/csv; charset=utf-8', write: writeAccountingCsv },
} as const

/** @throws Problem as `account` */
export async function issue(
  core: Core,
  { format, ...input }: AccountingInput & Readonly<{ format: AccountingFormat }>,
  actor: Actor,
): Promise<Issued> {
  const { prisma, portalAudit } = core
  const accounting = await account(core, input, actor)
  const { type, write } = writers[format]
  const bytes = await write(accounting)
  const { practice, from, to, all, sealedTo, disclosures } = accounting
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await prisma.$transaction((tx) =>
    portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: issuedAction,
      subject: { kind: issuedKind, id: sha256 },
      practiceId: practice.id,
      detail: { format, from, to, all, sealedTo, rows: disclosures.length },
    }),
  )
  return { name: `disclosures-${practice.slug}-${from}-${to}.${format}`, type, bytes }
}

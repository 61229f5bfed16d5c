/** Executes an agreement at its last signature: the signed document is stored with a certificate of signatures. */
import type {
  Agreement,
  AgreementSignature,
  AgreementVersion,
} from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  type AgreementKind,
  agreementKinds,
  agreementTimes,
  type BaaClause,
  baaClauses,
  type SigningSide,
  signingSides,
  toClausePlaces,
} from '../../contract/workflows/agreements.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { daysAfter, passedReminder, retainUntil } from './endings.ts'
import { canDraw, createPageWriter, type FontName, type PageWriter, type Run } from './pdf/page-writer.ts'
import { writeMarkdown } from './pdf/write-markdown.ts'
import { sha256Of } from './render-agreement.ts'
import type { StepContext } from './transition.ts'

/**
 * The effects of the last signature: stores the executed document.
 * @throws Problem `conflict` if the agreement's term has already ended
 */
export async function execute(
  { calendar }: Pick<Core, 'calendar'>,
  { tx, row, now }: StepContext,
  version: AgreementVersion,
) {
  const term = termOf(calendar, row, version, now)
  if (term.expiresAt <= now)
    throw new Problem('conflict', {
      message: 'The agreement’s last day has passed. Propose new dates first.',
    })
  const signatures = await tx.agreementSignature.findMany({
    where: { agreementId: row.id, number: row.number },
    orderBy: { at: 'asc' },
  })
  const executed = await renderExecuted({ row, version, signatures, term, at: now, zone: calendar.zone })
  const { sha256 } = executed
  await tx.agreementExecuted.create({
    data: {
      agreementId: row.id,
      number: row.number,
      documentSha256: version.sha256,
      sha256,
      bytes: Buffer.from(executed.bytes),
      executedAt: now,
    },
    select: { agreementId: true },
  })
  const [effectiveAt, expiresAt] = [term.effectiveAt.toISOString(), term.expiresAt.toISOString()]
  return {
    data: {
      executedAt: now,
      ...term,
      endsAt: term.expiresAt,
      remindedDays: passedReminder(term.expiresAt, now),
      retainUntil: retainUntil(term.expiresAt),
      openForId: null,
    },
    detail: { sha256, documentSha256: version.sha256 },
    emails: () => ({ 'agreement-executed': { sha256, effectiveAt, expiresAt } }),
  }
}

function termOf(calendar: Core['calendar'], row: Agreement, version: AgreementVersion, now: Date) {
  if (row.kind === 'usage_agreement')
    return { effectiveAt: now, expiresAt: daysAfter(now, agreementTimes.usageAgreementDays) }
  const fields = version.fields as { effectiveOn: string; expiresOn: string }
  const begins = new Date(calendar.endOf(addDays(fields.effectiveOn, -1)).getTime() + 1_000)
  return {
    effectiveAt: begins > now ? begins : now,
    expiresAt: new Date(calendar.endOf(fields.expiresOn).getTime() + 1_000),
  }
}

// The executed PDF: the text that was signed, a page with the signatures, and the signed file as an attachment.

type Execution = Readonly<{
  row: Agreement
  version: AgreementVersion
  signatures: readonly AgreementSignature[]
  term: { effectiveAt: Date; expiresAt: Date }
  at: Date
  zone: string
}>

/** An uploaded document is only attached, unchanged: the PDF has no pages for its text. */
async function renderExecuted(input: Execution): Promise<Readonly<{ bytes: Uint8Array; sha256: string }>> {
  const { row, version, at } = input
  const writer = createPageWriter({
    title: `${agreementKinds[row.kind as AgreementKind]}, executed`,
    at,
    footer: `Executed · document ${row.id}, version ${row.number}`,
  })
  if (version.markdown !== null) {
    writeMarkdown(writer, version.markdown)
    writer.newPage()
  }
  writeCertificate(writer, input)
  writer.attach(version.fileName, version.bytes, 'Exactly the bytes that were signed.')
  const bytes = await writer.finish()
  return { bytes, sha256: sha256Of(bytes) }
}

function writeCertificate(writer: PageWriter, { row, version, signatures, term, at, zone }: Execution): void {
  const when = (instant: Date) => `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  writer.heading('Certificate of signatures', 1)
  writer.paragraph([
    toRun(
      version.markdown === null
        ? 'A party uploaded the signed document. It is attached to this file exactly as it was signed.'
        : 'The preceding pages show the signed document. The signed file itself is attached to this file.',
    ),
  ])
  facts(writer, [
    ['Document', agreementKinds[row.kind as AgreementKind]],
    ['Document ID', `${row.id}, version ${row.number}`],
    [
      'Source',
      version.templateName === null
        ? `An upload named ${version.fileName}`
        : `Template ${version.templateName} ${version.templateVersion}, SHA-256 ${version.templateSha256}`,
    ],
    ['Signed file, SHA-256', version.sha256],
    ['Executed', when(at)],
    ['In force from', when(term.effectiveAt)],
    ['Until', `${when(term.expiresAt)} (days end in the time zone ${zone})`],
  ])
  for (const each of signatures) writeSignature(writer, each, when)
  const [first] = signatures
  if (first && first.clauses.length > 0) {
    writer.heading('Clauses confirmed by both sides', 2)
    const places = toClausePlaces(version.clausePlaces)
    for (const clause of first.clauses as BaaClause[]) {
      const place = places[clause] === undefined ? '' : ` Where: ${places[clause]}`
      writer.paragraph([toRun(`${baaClauses[clause] ?? clause}${place}`)], { indent: 24, bullet: '•' })
    }
  }
  writer.paragraph([
    toRun('Anyone with this file can verify it on the portal page “Verify a document”.', 'italic'),
  ])
}

function writeSignature(writer: PageWriter, signature: AgreementSignature, when: (instant: Date) => string) {
  writer.heading(`Signed for: ${signingSides[signature.side as SigningSide]}`, 2)
  facts(writer, [
    ['Legal name, typed', signature.legalName],
    ['Title', signature.title],
    ['Time', when(signature.at)],
    ['Authority', signature.authority],
    ['Consent', signature.consent],
    ['SHA-256 of the signed file', signature.sha256],
    ...(signature.policyVersion === null
      ? []
      : [
          [
            'Usage policy accepted',
            `Version ${signature.policyVersion}, SHA-256 ${signature.policySha256}`,
          ] as const,
        ]),
    ...(signature.accountId === null
      ? [['Signed by', 'The service, under its policy, after the developer signed'] as const]
      : [
          ['Account', signature.accountId] as const,
          ['Address', signature.ip ?? 'unknown'] as const,
          ['Browser', drawable(signature.userAgent ?? '') || 'not sent'] as const,
          ['Last password entry', `${signature.authenticatedAgo ?? 0} seconds earlier`] as const,
        ]),
  ])
}

function facts(writer: PageWriter, rows: readonly (readonly [string, string])[]): void {
  writer.facts(rows.map(([label, value]) => [[toRun(label)], [toRun(value)]] as const))
}

const toRun = (text: string, font: FontName = 'regular'): Run => ({ text, font })

/** A browser can send any characters as its User-Agent, and the font of the PDF does not have all of them. */
const drawable = (text: string): string =>
  [...text.slice(0, 200)].map((character) => (canDraw(character) ? character : '?')).join('')

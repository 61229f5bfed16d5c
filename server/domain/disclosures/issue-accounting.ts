/** Issues an accounting of disclosures as a file. Its hash is in the audit chain, so that the file can be verified. */
import { createHash } from 'node:crypto'
import { type DisclosureException, disclosureExceptions } from '../../contract/portal/disclosures.ts'
import { csvLine } from '../../contract/text/csv.ts'
import type { Actor } from '../actor.ts'
import { canDraw, createPageWriter, type Run } from '../agreements/pdf/page-writer.ts'
import type { Core } from '../core.ts'
import { type Accounting, type AccountingInput, account } from './accounting.ts'

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

/** Writes an accounting of disclosures for a spreadsheet. */
async function writeAccountingCsv(accounting: Accounting): Promise<Uint8Array> {
  const { practice, patient, from, to, zone, at, disclosures } = accounting
  const lines = [
    ['Accounting of disclosures', practice.name],
    ['Patient', patient.name ?? 'Record deleted', patient.birthDate ?? '', patient.id],
    ['Period', from, to, zone],
    ['Made', at],
    ...notesOf(accounting).map((note) => ['Note', note]),
    [],
    ['recipient', 'through', 'disclosed', 'purpose', 'first', 'number', 'last', 'exception'],
    ...disclosures.map(({ recipient, what, purpose, firstAt, count, lastAt, exception }) => [
      recipient.name,
      recipient.through,
      what,
      purpose,
      firstAt,
      count,
      lastAt,
      exception && disclosureExceptions[exception].rule,
    ]),
  ]
  // Without a byte order mark, spreadsheets assume an old encoding.
  return new TextEncoder().encode(`\uFEFF${lines.map(csvLine).join('')}`)
}

/** Writes an accounting of disclosures as a PDF. */
async function writeAccountingPdf(accounting: Accounting): Promise<Uint8Array> {
  const { practice, patient, from, to, zone, at, disclosures } = accounting
  const writer = createPageWriter({
    title: 'Accounting of disclosures',
    at,
    footer: `${drawable(practice.name)} · accounting of disclosures, 45 CFR 164.528`,
  })
  const when = (instant: Date) =>
    new Intl.DateTimeFormat('en-US', {
      dateStyle: 'medium',
      timeStyle: 'long',
      timeZone: zone,
    }).format(instant)
  const facts = (rows: readonly (readonly [string, string])[]) =>
    writer.facts(rows.map(([label, value]) => [[toRun(label)], [toRun(value)]] as const))
  writer.heading('Accounting of disclosures', 1)
  facts([
    ['Practice', practice.name],
    ['Patient', patient.name ?? 'Record deleted'],
    ['Birth date', patient.birthDate ?? 'Not recorded'],
    ['Patient ID', patient.id],
    ['Period', `${from} to ${to}, both included, in the time zone ${zone}`],
    ['Made', when(at)],
  ])
  writer.heading('Disclosures', 2)
  if (disclosures.length === 0) writer.paragraph([toRun('None in this period.')])
  for (const { recipient, what, purpose, firstAt, count, lastAt, exception } of disclosures) {
    writer.heading(drawable(recipient.name), 3)
    facts([
      ...(recipient.through === null ? [] : [['Received through', recipient.through] as const]),
      ['Disclosed', what],
      ['Purpose', purpose],
      ...(count === 1
        ? [['Date', when(firstAt)] as const]
        : [
            ['First', when(firstAt)] as const,
            ['Number', String(count)] as const,
            ['Last', when(lastAt)] as const,
          ]),
      ...(exception === null ? [] : [['Exception', disclosureExceptions[exception].rule] as const]),
    ])
  }
  writer.heading('About this accounting', 2)
  for (const note of notesOf(accounting)) writer.paragraph([toRun(note)], { indent: 24, bullet: '•' })
  return writer.finish()
}

function toRun(text: string): Run {
  return { text: drawable(text), font: 'regular' }
}

/** Replaces characters that the typeface lacks with question marks. The CSV has the original text. */
function drawable(text: string): string {
  return [...text].map((character) => (canDraw(character) ? character : '?')).join('')
}

// The sentences of an accounting of disclosures, the same in every format.

/** What the reader must know about the list. */
function notesOf(accounting: Accounting): string[] {
  const { all, leftOut, unnamed, sealedTo } = accounting
  const exceptions = Object.keys(disclosureExceptions) as DisclosureException[]
  return [
    ...(all
      ? ['This list also shows disclosures that the rule excepts. Each is marked with its exception.']
      : exceptions.map((name) => {
          const { rule, words } = disclosureExceptions[name]
          return `Left out under ${rule}: ${words}: ${leftOut[name]}.`
        })),
    ...(unnamed.count > 0
      ? [
          `${unnamed.count} lists or files of this period, the last at ${unnamed.lastAt?.toISOString()}, were recorded without the names of their patients. This patient may have been among them.`,
        ]
      : []),
    'Repeated disclosures of the same kind to the same recipient for the same purpose are one row: the first, their number and the last (45 CFR 164.528(b)(3)).',
    'Records that the recipient sent to the practice are not disclosures. Disclosures outside Sandpiper are not in this list. The practice decides what the law requires.',
    `The audit chain covers the record of access up to row ${sealedTo}. The SHA-256 of this file is in the chain: check it on the page “Verify a document”.`,
  ]
}

// Verification of issued accountings.

const issuedAction = 'disclosures.accounted'
const issuedKind = 'accounting_of_disclosures'

/** When a file with this hash was issued, and its number in the chain. Null if this installation did not issue it. */
export async function findIssued({ prisma }: Pick<Core, 'prisma'>, sha256: string) {
  const found = await prisma.auditEvent.findFirst({
    where: { subjectKind: issuedKind, subjectId: sha256, action: issuedAction },
    select: { at: true, chainNumber: true },
    orderBy: { id: 'asc' },
  })
  return found && { at: found.at, chainNumber: found.chainNumber?.toString() ?? null }
}

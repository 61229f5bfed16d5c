/** An accounting of disclosures as a page to hand out. */
import { disclosureExceptions } from '../../contract/portal/disclosures.ts'
import { canDraw } from '../agreements/pdf/fonts.ts'
import { createPageWriter, type Run } from '../agreements/pdf/page-writer.ts'
import type { Accounting } from './accounting.ts'
import { notesOf } from './accounting-words.ts'

export async function writeAccountingPdf(accounting: Accounting): Promise<Uint8Array> {
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
    writer.facts(rows.map(([label, value]) => [[said(label)], [said(value)]] as const))
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
  if (disclosures.length === 0) writer.paragraph([said('None in this period.')])
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
  for (const note of notesOf(accounting)) writer.paragraph([said(note)], { indent: 24, bullet: '•' })
  return writer.finish()
}

function said(text: string): Run {
  return { text: drawable(text), font: 'regular' }
}

/** A name in a script that the typeface lacks shows question marks; the CSV and the ID have all of it. */
function drawable(text: string): string {
  return [...text].map((character) => (canDraw(character) ? character : '?')).join('')
}

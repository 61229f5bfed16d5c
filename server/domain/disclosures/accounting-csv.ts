/** An accounting of disclosures as a spreadsheet reads it. */
import { disclosureExceptions } from '../../contract/portal/disclosures.ts'
import { csvLine } from '../../contract/text/csv.ts'
import type { Accounting } from './accounting.ts'
import { notesOf } from './accounting-words.ts'

export async function writeAccountingCsv(accounting: Accounting): Promise<Uint8Array> {
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
  // Spreadsheets take a file without this mark for one in an old encoding.
  return new TextEncoder().encode(`\uFEFF${lines.map(csvLine).join('')}`)
}

/** The sentences of an accounting of disclosures, the same in every format. */
import { type DisclosureException, disclosureExceptions } from '../../contract/portal/disclosures.ts'
import type { Accounting } from './accounting.ts'

/** What the reader must know about the list. */
export function notesOf(accounting: Accounting): string[] {
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

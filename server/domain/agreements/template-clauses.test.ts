/** Where the contract says that the template of the BAA has a clause, it has it. */
import { expect, test } from 'vitest'
import { type BaaClause, baaClauseNames, templateClauses } from '../../contract/workflows/agreements.ts'
import { createAgreementTexts } from './agreement-texts.ts'

const words: Readonly<Record<BaaClause, RegExp>> = {
  permitted_uses: /uses and discloses the data only to provide the services/,
  no_further_use: /does not use or disclose the data other than/,
  safeguards: /appropriate safeguards, and follows Subpart C/,
  report: /reports .* every security incident, and every breach/,
  subcontractors: /subcontractor .* agrees in writing/,
  access: /45 CFR 164\.524/,
  amendment: /45 CFR 164\.526/,
  accounting: /45 CFR 164\.528/,
  delegated: /carries out an obligation of the practice/,
  books: /books and records about the data available to the Secretary/,
  return_or_destroy: /returns to the practice or destroys/,
  termination: /broken a material term/,
}

test.each(baaClauseNames)('%s', (clause) => {
  const [, section, number] = /^Section (\d+), number (\d+)$/.exec(templateClauses[clause]) ?? []
  const { markdown } = createAgreementTexts().get('baa')
  const part = markdown.split(/^## /m).find((each) => each.startsWith(`${section}. `))
  const item = part
    ?.split('\n')
    .slice(1)
    .find((line) => line.startsWith(`${number}. `))
  expect(item).toMatch(words[clause])
})

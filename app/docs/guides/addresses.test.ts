/** What a reader sees in place of the words in capitals. */
import { describe, expect, test } from 'vitest'
import { placeAddresses } from './addresses.ts'

const addresses = {
  portal: 'https://portal.example',
  rest: 'https://rest.example',
  fhir: 'https://fhir.example',
}
const read = 'curl "SANDBOX_BASE/Patient/1" -H "Authorization: Bearer $TOKEN"'
const metadata = 'curl "SANDBOX_BASE/metadata" -H "Accept: application/fhir+json"'

describe('for a visitor', () => {
  test('a command that needs no token is sent to the demonstration practice, in a guide as on its page', () => {
    const shown = 'curl "https://fhir.example/r4/sandpiper-demonstration/metadata"'
    const guide = ['```sh open 200 x', metadata, '```', '', '```sh fhir 200 x', read, '```'].join('\n')

    expect(placeAddresses(metadata, addresses)).toContain(shown)
    expect(placeAddresses(guide, addresses)).toContain(shown)
    expect(placeAddresses(guide, addresses)).toContain('YOUR-SANDBOX/Patient')
    expect(placeAddresses('Compare it with `SANDBOX_BASE`.', addresses)).toContain('YOUR-SANDBOX')
  })
})

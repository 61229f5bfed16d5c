/** What a reader sees in place of the words in capitals. */
import { describe, expect, test } from 'vitest'
import { ownValuesIn, placeAddresses } from './addresses.ts'

const addresses = {
  portal: 'https://portal.example',
  rest: 'https://rest.example',
  fhir: 'https://fhir.example',
}
const own = {
  base: 'https://fhir.example/r4/sandbox-1',
  clientId: 'sbx-1',
  redirectUri: 'http://localhost:9/done',
}
const read = 'curl "SANDBOX_BASE/Patient/1" -H "Authorization: Bearer $TOKEN"'
const metadata = 'curl "SANDBOX_BASE/metadata" -H "Accept: application/fhir+json"'
const send = 'client_id=APP_CLIENT_ID&redirect_uri=APP_REDIRECT_URI&aud=SANDBOX_BASE'

describe('for a visitor', () => {
  test('a base and a client ID of their own are named as what is to be put in', () => {
    expect(placeAddresses(read, addresses)).toContain('"https://fhir.example/r4/YOUR-SANDBOX/Patient/1"')
    expect(placeAddresses(send, addresses)).toBe(
      'client_id=YOUR-CLIENT-ID&redirect_uri=http://localhost:8080/callback&aud=https://fhir.example/r4/YOUR-SANDBOX',
    )
  })

  test('a command that needs no token is sent to the demonstration practice, in a guide as on its page', () => {
    const shown = 'curl "https://fhir.example/r4/sandpiper-demonstration/metadata"'
    const guide = ['```sh open 200 x', metadata, '```', '', '```sh fhir 200 x', read, '```'].join('\n')

    expect(placeAddresses(metadata, addresses)).toContain(shown)
    expect(placeAddresses(guide, addresses)).toContain(shown)
    expect(placeAddresses(guide, addresses)).toContain('YOUR-SANDBOX/Patient')
    expect(placeAddresses('Compare it with `SANDBOX_BASE`.', addresses)).toContain('YOUR-SANDBOX')
  })
})

describe('for a member', () => {
  test('everything is of their sandbox and their app', () => {
    const text = [metadata, read, send].map((each) => placeAddresses(each, { ...addresses, own })).join('\n')

    expect(text).not.toMatch(/YOUR-|demonstration|SANDBOX_BASE|APP_/)
    expect(text).toContain(
      'client_id=sbx-1&redirect_uri=http://localhost:9/done&aud=https://fhir.example/r4/sandbox-1',
    )
  })

  test('what their organization does not have yet is to be put in', () => {
    const without = { base: own.base, clientId: null, redirectUri: null }

    expect(placeAddresses(send, { ...addresses, own: without })).toBe(
      'client_id=YOUR-CLIENT-ID&redirect_uri=http://localhost:8080/callback&aud=https://fhir.example/r4/sandbox-1',
    )
  })
})

test('a guide says which of the values it names', () => {
  expect(ownValuesIn(read)).toEqual({ base: true, app: false })
  expect(ownValuesIn(send)).toEqual({ base: true, app: true })
  expect(ownValuesIn('curl "REST_ORIGIN/x"')).toEqual({ base: false, app: false })
})

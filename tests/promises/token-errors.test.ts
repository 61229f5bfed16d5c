/** What the token endpoint refuses a production app is a to-do of its developers. */
import { expect, test } from 'vitest'
import { firstPage } from '../../server/contract/portal/paging.ts'
import { makeAssertionKey, signAssertion } from '../support/assertion.ts'
import { smartStack } from '../support/smart-http.ts'

const practice = 'juniper-point'

test('a production system whose assertion was refused is in its developers’ inbox until it gets a token', async () => {
  const stack = await smartStack()
  const [key, stranger] = await Promise.all([makeAssertionKey('ES384'), makeAssertionKey('ES384')])
  const { client, developer } = await stack.createSystem({
    scope: 'system/*.rs',
    practice,
    client: { jwks: { keys: [key.publicJwk as Record<string, unknown>] }, everyPractice: true },
  })
  const { clientId } = client
  const audience = stack.at('token', practice)
  const ask = async (signer: typeof key) => {
    stack.services.advance(1_000)
    const assertion = await signAssertion({ key: signer, clientId, audience, now: stack.services.clock() })
    const form = {
      grant_type: 'client_credentials',
      scope: 'system/*.rs',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }
    return (await stack.post('token', form, { practice })).status
  }
  const todos = async () => {
    await stack.services.recorder.flush()
    const { rows } = await stack.services.inbox.list({ ask: firstPage }, developer)
    return rows.map((entry) => [entry.kind, entry.clientId])
  }

  expect(await ask(stranger)).toBe(401)
  expect(await todos()).toEqual([['app_token_errors', clientId]])
  expect(await ask(key)).toBe(200)
  expect(await todos()).toEqual([])
})

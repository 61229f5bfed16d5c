import { expect, test } from 'vitest'
import { testServices } from '../../../tests/support/services.ts'
import { handoverSeconds } from './secret-handover.ts'

const services = await testServices()

/** @returns a new secret as its cookie carries it */
async function handedOver() {
  const { client, secret } = await services.clients.create(
    {
      organizationId: null,
      environment: 'sandbox',
      audience: 'patient',
      authentication: 'client_secret_basic',
      name: 'Bird Diary',
      redirectUris: ['https://app.example/callback'],
      scope: 'launch/patient patient/*.rs',
    },
    null,
  )
  const { clientId } = client
  const to = { accountId: 'robin', clientId }
  return {
    clientId,
    secret,
    to,
    sealed: services.secretHandover.seal({ clientId, secret: secret ?? '' }, to),
  }
}

test('a new secret is shown to whoever made it, once, also by two pages at the same time', async () => {
  const { clientId, secret, to, sealed } = await handedOver()
  const { open } = services.secretHandover
  expect(sealed).not.toContain(secret)

  const pages = await Promise.all([open(sealed, to), open(sealed, to)])

  expect(pages.filter(Boolean)).toEqual([{ clientId, secret }])
  expect(await open(sealed, to)).toBeNull()
})

test('it opens for nobody else, for no other app, not when changed and not later', async () => {
  const { clientId, to, sealed } = await handedOver()
  const other = await handedOver()
  const { open } = services.secretHandover

  expect(await open(sealed, { accountId: 'quinn', clientId })).toBeNull()
  expect(await open(sealed, { ...to, clientId: other.clientId })).toBeNull()
  expect(await open(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, to)).toBeNull()
  expect(await open('AAAA', to)).toBeNull()
  services.advance(handoverSeconds * 1_000)
  expect(await open(sealed, to)).toBeNull()
})

/** Backend systems that sign assertions, over the real token address. */
import type { RegisteredClient } from '../../server/domain/clients/registrations.ts'
import { makeAssertionKey, signAssertion } from './assertion.ts'
import { type SmartStack, smartStack } from './smart-http.ts'

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** What an assertion says otherwise than it should. */
export type Wrong = Partial<Omit<Parameters<typeof signAssertion>[0], 'clientId'>>

export async function backendStack(options: Parameters<typeof smartStack>[0] = {}) {
  const stack: SmartStack = await smartStack(options)
  const [rsa, ec, stranger] = await Promise.all([
    makeAssertionKey('RS384'),
    makeAssertionKey('ES384'),
    makeAssertionKey('ES384'),
  ])
  const keys = { rsa, ec, stranger }

  function createSystem(options: { granted?: boolean; scope?: string; practice?: string } = {}) {
    const jwks = { keys: [keys.rsa.publicJwk, keys.ec.publicJwk] as Record<string, unknown>[] }
    return stack.createSystem({ scope: 'system/*.rs', client: { jwks, everyPractice: true }, ...options })
  }

  function sign(client: RegisteredClient, wrong: Wrong = {}) {
    return signAssertion({
      key: keys.ec,
      clientId: client.clientId,
      audience: stack.at('token'),
      now: stack.services.clock(),
      ...wrong,
    })
  }

  function ask(assertion: string, change: Record<string, string> = {}, practice?: string) {
    return stack.post(
      'token',
      {
        grant_type: 'client_credentials',
        scope: 'system/*.rs',
        client_assertion_type: jwtBearer,
        client_assertion: assertion,
        ...change,
      },
      {
        ip: `10.0.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}`,
        ...(practice && { practice }),
      },
    )
  }

  return {
    stack,
    keys,
    createSystem,
    sign,
    ask,
    system: await createSystem(),
    seconds: () => Math.floor(stack.services.clock().getTime() / 1000),
  }
}

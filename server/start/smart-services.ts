/** Builds the services of the authorization server: who asks for access, who grants it, and the tokens that come of it. */
import { createSmartTokenAuth } from '../auth/smart-token.ts'
import { createAuthorizations } from '../domain/authorizations/authorizations.ts'
import { createPendingRequests } from '../domain/authorizations/pending-requests.ts'
import { createAssertions } from '../domain/clients/assertions.ts'
import { createClientAuthentication } from '../domain/clients/client-authentication.ts'
import { createClientFaults } from '../domain/clients/client-faults.ts'
import { createJwksSource } from '../domain/clients/jwks-source.ts'
import { createClients } from '../domain/clients/registrations.ts'
import { createSecretHandover } from '../domain/clients/secret-handover.ts'
import { createGrants } from '../domain/grants/grants.ts'
import { createLaunches } from '../domain/grants/launches.ts'
import { createPatientNames } from '../domain/grants/patient-names.ts'
import { createPracticeGrants } from '../domain/grants/practice-grants.ts'
import { createSmartAddresses } from '../domain/grants/smart-addresses.ts'
import { createTokens } from '../domain/grants/tokens.ts'
import { createSigningKeys } from '../domain/signing-keys/signing-keys.ts'
import { createOwnSandboxSystems } from '../domain/system-authorizations/own-sandbox.ts'
import { createBackendAuthorizations } from '../domain/system-authorizations/system-authorizations.ts'
import { infernoServices } from '../lab/inferno/inferno.ts'
import { createLaunchLab } from '../lab/launches/launch-lab.ts'

type Needs<Make extends (needs: never) => unknown> = Parameters<Make>[0]

/** What stands below the authorization server. */
type Below = Omit<
  Needs<typeof createSmartTokenAuth> &
    Needs<typeof createClients> &
    Needs<typeof createJwksSource> &
    Needs<typeof createPendingRequests> &
    Needs<typeof createAuthorizations> &
    Needs<typeof createLaunches> &
    Needs<typeof createPatientNames> &
    Needs<typeof createTokens> &
    Needs<typeof createLaunchLab> &
    Needs<typeof createBackendAuthorizations> &
    Needs<typeof createClientFaults> &
    Needs<typeof infernoServices>,
  'addresses' | 'clients' | 'pending' | 'authorizations' | 'signingKeys' | 'smartTokens'
> & { env: Parameters<typeof createSmartAddresses>[0] }

export function createSmartServices(below: Below) {
  const { prisma, clock, pool, store, env, keyring, recorder, portalAudit, randomBytes } = below
  const { activityLog, outbound, pause, sandboxes, send, sessions, throttle } = below
  const addresses = createSmartAddresses(env)
  const smartTokens = createSmartTokenAuth({ pool, store, clock })
  const signingKeys = createSigningKeys({ prisma, clock, keyring, portalAudit })
  const clients = createClients({ prisma, clock, keyring, portalAudit, sessions, randomBytes })
  const jwks = createJwksSource({ prisma, clock, outbound })
  const assertions = createAssertions({ prisma, clock, jwks, addresses })
  const clientAuthentication = createClientAuthentication({ prisma, clock, keyring, assertions })
  const pendingAuthorizations = createPendingRequests({ prisma, clock, env, randomBytes, keyring })
  const shared = { prisma, clock, store, recorder, portalAudit, addresses, randomBytes }
  const authorizations = createAuthorizations({ ...shared, pending: pendingAuthorizations })
  const launches = createLaunches(shared)
  const launchLab = createLaunchLab({
    ...shared,
    keyring,
    sandboxes,
    clients,
    pending: pendingAuthorizations,
    authorizations,
    env,
    send,
    pause,
    throttle,
  })
  const tokens = createTokens({ ...shared, signingKeys, smartTokens })
  const grants = createGrants({ prisma, clock, portalAudit })
  const backendAuthorizations = createBackendAuthorizations(below)
  const namePatients = createPatientNames(shared)
  const clientFaults = createClientFaults({ clients, activityLog })

  return {
    shared,
    jwks,
    /** Known to everybody. */
    services: {
      addresses,
      smartTokens,
      signingKeys,
      clients,
      clientAuthentication,
      assertionDoctor: assertions.doctor,
      pendingAuthorizations,
      authorizations,
      launchLab,
      inferno: infernoServices({ prisma, store, addresses, sandboxes, clients }),
      simulations: launchLab.apply,
      launches,
      tokens,
      grants,
      namePatients,
      clientFaults,
      secretHandover: createSecretHandover({ prisma, clock, keyring }),
      backendAuthorizations,
      ownSandboxSystems: createOwnSandboxSystems(below, backendAuthorizations),
      practiceGrants: createPracticeGrants(below),
    },
  }
}

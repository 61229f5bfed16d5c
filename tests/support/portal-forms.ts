/** What the portal's forms send, for the sweep of addresses in an organization. */

type Fields = Readonly<Record<string, string>>

/** What its forms send, for every address in an organization that takes one. `FOREIGN` stands for an id of others. */
export const description =
  'A reminder service for small practices that reads synthetic people of the sandbox only.'
export const forms: Readonly<Record<string, readonly Fields[]>> = {
  'organizations/:organization/keys': [{ request: 'FOREIGN' }],
  'organizations/:organization/keys/:key/revoke': [{ reason: 'x' }, {}],
  'organizations/:organization/keys/:key': [{ intent: 'extend' }, { intent: 'grace', graceHours: '0' }],
  'organizations/:organization/sandbox/launch': [
    { kind: 'backend', app: 'nobodys-app', fault: 'none' },
    { kind: 'standalone-patient', app: 'nobodys-app', patient: 'pt-wren-testwell', fault: 'none' },
  ],
  'organizations/:organization/sandbox/inferno': [{ kit: 'bulk', inferno: 'https://inferno.example' }],
  'organizations/:organization/sandbox/faults': [
    { stop: 'FOREIGN' },
    { target: 'key:00000000-0000-7000-8000-000000000001', script: '500', minutes: '60' },
  ],
  'organizations/:organization/sandbox/sign-ins': [{ intent: 'reset' }],
  'organizations/:organization/apps/samples': [{}, { jwks: '{"keys":[]}' }],
  'organizations/:organization/apps/:client': [
    { intent: 'allow' },
    { intent: 'stop' },
    { intent: 'request', practice: 'sandpiper-demonstration', scope: 'system/*.rs', purpose: description },
    { intent: 'doctor', practice: 'sandpiper-demonstration', assertion: 'a.b.c' },
  ],
  'organizations/:organization/apps/:client/exports': [{ id: 'FOREIGN' }],
  'organizations/:organization/apps/:client/secrets': [
    { intent: 'add' },
    { intent: 'revoke', secret: 'FOREIGN' },
  ],
  'organizations/:organization/apps/:client/token': [
    { person: 'wren.testwell:pt-wren-testwell', scope: 'patient/*.rs' },
    { intent: 'end', token: 'FOREIGN' },
  ],
  'organizations/:organization/registrations/:registration': [
    { intent: 'submit', version: '1', acceptTerms: 'on', idempotencyKey: 'x' },
    { intent: 'withdraw', version: '1', idempotencyKey: 'x' },
    { intent: 'appeal', version: '1', text: description, idempotencyKey: 'x' },
    { intent: 'reopen', version: '1', idempotencyKey: 'x' },
  ],
  'organizations/:organization/registrations/:registration/form': [
    { intent: 'autosave', version: '1', name: 'Taken over', audience: 'patient', clientType: 'none' },
    { intent: 'check', version: '1', name: 'Taken over', audience: 'patient', clientType: 'none' },
  ],
  'organizations/:organization/registrations/:registration/scopes': [{ version: '1', type: 'Goal' }],
  'organizations/:organization/apps/:client/limits': [
    { burst: '300', sustained: '9000', reason: description, idempotencyKey: 'isolation-limits-of-app' },
  ],
  'organizations/:organization/keys/:key/limits': [
    { burst: '200', sustained: '4000', reason: description, idempotencyKey: 'isolation-limits-of-key' },
  ],
  'organizations/:organization/keys/:key/term': [
    { days: '200', reason: description, idempotencyKey: 'isolation-term-of-key' },
  ],
  'organizations/:organization/keys/:key/mcp': [{ writes: 'on' }, { writes: 'off' }],
  'organizations/:organization/members/:account/second-step': [{ reason: description }],
  'organizations/:organization/keys/:key/rotate': [{ graceHours: '0' }],
  'organizations/:organization/keys/:key/networks': [{ networks: '203.0.113.0/24' }],
  'organizations/:organization/keys/requests/:request': [{ projectDescription: description }],
  'organizations/:organization/production-keys/:productionKey': [
    { intent: 'submit', version: '0', idempotencyKey: 'a-form-of-somebody-else' },
    { intent: 'withdraw', version: '0', idempotencyKey: 'a-form-of-somebody-else' },
    { intent: 'renew', version: '0', idempotencyKey: 'a-form-of-somebody-else' },
    { intent: 'revoke', version: '0', idempotencyKey: 'a-form-of-somebody-else', reason: description },
  ],
  'organizations/:organization/production-keys/:productionKey/form': [
    ...['save', 'autosave', 'send'].map((intent) => ({
      ...{ intent, step: 'use', version: '0', idempotencyKey: 'a-form-of-somebody-else' },
      ...{ name: 'Taken over', justification: description },
    })),
    { intent: 'choose', version: '0', idempotencyKey: 'a-form-of-somebody-else', practice: 'fennmoor' },
  ],
  'organizations/:organization/agreements/:agreement': [
    { intent: 'withdraw', version: '0', idempotencyKey: 'a-form-of-somebody-else', comment: description },
    { intent: 'terminate', version: '0', idempotencyKey: 'a-form-of-somebody-else', comment: description },
    {
      intent: 'sign',
      version: '0',
      idempotencyKey: 'a-form-of-somebody-else',
      number: '1',
      sha256: '0'.repeat(64),
      legalName: 'Robin Testwell',
      title: 'x',
      authority: 'on',
      consent: 'on',
    },
  ],
  'organizations/:organization/agreements/:agreement/change': [
    { comment: description, services: description },
  ],
  'organizations/:organization/members': [
    { intent: 'change-role', member: 'FOREIGN', role: 'viewer' },
    { intent: 'remove', member: 'FOREIGN' },
    { intent: 'renew', invitation: 'FOREIGN' },
    { intent: 'cancel', invitation: 'FOREIGN' },
  ],
  // These name nothing but the organization.
  'organizations/:organization/sandbox': [
    { intent: 'open' },
    { intent: 'reset', request: '018f0000-0000-7000-8000-000000000001' },
  ],
  'organizations/:organization/keys/new': [{ name: 'x' }],
  'organizations/:organization/registrations/new': [
    { name: 'Taken over', audience: 'patient', redirectUris: 'https://app.example/' },
  ],
  'organizations/:organization/registrations/lint': [{ name: 'Taken over', audience: 'patient', keys: '' }],
  'organizations/:organization/production-keys/new': [
    { intent: 'choose', version: '0', idempotencyKey: 'a-form-of-somebody-else', practice: 'fennmoor' },
  ],
  'organizations/:organization/security-profile': [{ intent: 'save', version: '0', legalName: 'Taken over' }],
  'organizations/:organization/settings': [{ intent: 'leave' }, { name: 'Taken over' }],
}

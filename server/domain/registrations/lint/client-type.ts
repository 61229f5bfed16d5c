/** How the app proves who it is. https://hl7.org/fhir/smart-app-launch/STU2.2/client-confidential-asymmetric.html */
import type { LintRule } from './lint-rule.ts'

const field = 'clientType'

export const clientType: LintRule = {
  id: 'client-type',
  check: 'keys',
  passed: () => 'This kind of app supports this client authentication.',
  find: ({ audience, clientType: type }) => {
    if (audience === 'backend' && type !== 'private_key_jwt')
      return [
        {
          field,
          reason: 'A backend system must sign its requests.',
          fix: 'Choose “Signs its requests”, and add its public keys.',
        },
      ]
    if (type === 'client_secret_basic')
      return [
        {
          field,
          severity: 'hint',
          reason: 'A secret must be stored and replaced manually.',
          fix: 'A server can sign its requests instead. Then you can change keys without coming back here.',
        },
      ]
    return []
  },
}

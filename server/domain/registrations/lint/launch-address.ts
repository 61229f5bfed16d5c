/** Where an EHR opens the app. https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#launch-app-ehr-launch */
import { isLoopback } from '../../clients/client-fields.ts'
import type { LintRule } from './lint-rule.ts'

const field = 'launchUrl'

export const launchAddress: LintRule = {
  id: 'launch-address',
  check: 'redirects',
  passed: 'The launch address fits the app.',
  find: ({ audience, launchUrl, scope }) => {
    const scopes = scope.split(' ')
    if (audience === 'backend')
      return launchUrl === ''
        ? []
        : [{ field, reason: 'Nobody opens a backend system.', fix: 'Take the launch address out.' }]
    if (launchUrl === '')
      return scopes.includes('launch')
        ? [
            {
              field,
              reason: 'The app asks for the scope launch, and says not where it is opened.',
              fix: 'Give the address that an EHR opens, or leave the scope launch out.',
            },
          ]
        : []
    const url = URL.canParse(launchUrl) ? new URL(launchUrl) : null
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
    if (!url || !isSafe || url.hash !== '' || url.username !== '')
      return [
        {
          field,
          reason: 'The launch address is no https address that can be opened as it stands.',
          fix: 'Give the complete https address, without credentials and without #.',
        },
      ]
    return scopes.includes('launch')
      ? []
      : [
          {
            field,
            severity: 'hint',
            reason: 'An EHR may open the app, but without the scope launch it does not hear for whom.',
            fix: 'Add the scope launch in the scope studio.',
          },
        ]
  },
}

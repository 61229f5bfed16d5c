/** Where an EHR opens the app. https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#launch-app-ehr-launch */
import { isLoopback } from '../../../contract/smart/redirect-uris.ts'
import type { LintRule } from './lint-rule.ts'

const field = 'launchUrl'

export const launchAddress: LintRule = {
  id: 'launch-address',
  check: 'redirects',
  passed: ({ audience, launchUrl }) => {
    if (launchUrl !== '')
      return 'The launch URL is complete, and the app requests the scope launch. We did not open it.'
    return audience === 'backend'
      ? 'A backend system needs no launch URL.'
      : 'The app doesn’t request the scope launch, so it needs no launch URL.'
  },
  find: ({ audience, launchUrl, scope }) => {
    const scopes = scope.split(' ')
    if (audience === 'backend')
      return launchUrl === ''
        ? []
        : [{ field, reason: 'A backend system can’t have a launch URL.', fix: 'Clear this field.' }]
    if (launchUrl === '')
      return scopes.includes('launch')
        ? [
            {
              field,
              reason: 'Add a launch URL because the app requests the scope launch.',
              fix: 'Enter the URL that an EHR opens, or remove the scope launch.',
            },
          ]
        : []
    const url = URL.canParse(launchUrl) ? new URL(launchUrl) : null
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
    if (!url || !isSafe || url.hash !== '' || url.username !== '')
      return [
        {
          field,
          reason: 'The launch URL isn’t a complete https URL.',
          fix: 'Enter it without credentials and without #. On your own machine, you can use http://localhost.',
        },
      ]
    return scopes.includes('launch')
      ? []
      : [
          {
            field,
            severity: 'hint',
            reason: 'Without the scope launch, the app can’t know which patient is open in the EHR.',
            fix: 'Add the scope launch in the scope studio.',
          },
        ]
  },
}

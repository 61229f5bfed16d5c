/** What a reader wants to do, group by group and in the order of the navigation. Each is `docs/how-to/<name>.mdx`. */
const tasks = {
  'Tokens and sign-in': {
    'refresh-a-token': {
      title: 'Refresh an access token',
      summary: 'Get the next access token without another sign-in.',
      keywords: 'renew expired token keep user signed in logged in offline months',
    },
    'ask-for-narrower-scopes': {
      title: 'Ask for narrower scopes',
      summary: 'Request less, narrow a type to a category, and get a smaller token when you refresh.',
      keywords: 'fewer limit restrict minimal permissions what an app can see least privilege granular',
    },
    'test-token-expiry': {
      title: 'Test token expiry',
      summary: 'See what your app does when a token ends in the middle of its work.',
      keywords: 'expire expired simulate 401 expiration',
    },
    'revoke-a-token': {
      title: 'Sign a person out',
      summary: 'Revoke the tokens of a person who signs out of your app.',
      keywords: 'logout log user out sign user out revoke token end session',
    },
    'introspect-a-token': {
      title: 'Check what a token may do',
      summary: 'Ask the authorization server whether a token works, and what it covers.',
      keywords: 'introspection introspect token info expiry valid active',
    },
    'fix-a-redirect-uri': {
      title: 'Fix a redirect URI mismatch',
      summary: 'Make the address your app sends and the registered one the same.',
      keywords: 'redirect url callback mismatch not registered invalid',
    },
  },
  'Read records': {
    'find-a-patient': {
      title: 'Find a patient',
      summary: 'From a name, a record number or a birth date to an ID.',
      keywords: 'search lookup mrn name identifier',
    },
    'page-through-results': {
      title: 'Page through results',
      summary: 'Read a long list to its end, with FHIR and with REST.',
      keywords: 'pagination next page all results loop',
    },
    'read-only-what-changed': {
      title: 'Read only what changed',
      summary: 'Ask for records that are new since your last run.',
      keywords: 'sync incremental delta polling updates since last updated',
    },
    'search-by-date': {
      title: 'Search by date',
      summary: 'Give a date, a period or a time in the form the APIs read.',
      keywords: 'date format range between period time zone iso',
    },
    'read-lab-results': {
      title: 'Read lab results',
      summary: 'Find laboratory values, all of them or of one kind.',
      keywords: 'laboratory observation loinc test results a1c',
    },
    'read-an-attachment': {
      title: 'Read an attachment',
      summary: 'Download a document: letter, report, scan or current summary.',
      keywords: 'file pdf binary download document content bytes',
    },
    'download-a-ccd': {
      title: 'Download a patient summary',
      summary: 'Get the current CCD as C-CDA, with a key or a token.',
      keywords: 'ccd ccda c-cda continuity of care document',
    },
    'send-many-requests': {
      title: 'Send many requests at once',
      summary: 'What to do instead of a batch or transaction.',
      keywords: 'batch transaction bundle parallel multiple everything',
    },
    'call-from-a-browser': {
      title: 'Call the API from a browser',
      summary: 'What works from a web page, and what needs a server.',
      keywords: 'cors cross origin javascript single page app spa preflight',
    },
  },
  'Write records': {
    'create-a-patient': {
      title: 'Create a patient',
      summary: 'Create a patient with REST, and avoid duplicates.',
      keywords: 'add new register post insert',
    },
    'register-a-document': {
      title: 'Register a document',
      summary: 'List one of your documents in a patient’s chart.',
      keywords: 'upload attach add document file post',
    },
    'retry-a-write': {
      title: 'Retry a write without duplicates',
      summary: 'Safely repeat a write that got no response.',
      keywords: 'idempotency key duplicate twice repeat',
    },
    'correct-or-delete-a-record': {
      title: 'Correct or delete a record',
      summary: 'What to do where there is no PUT, PATCH or DELETE.',
      keywords: 'delete remove update edit change patient undo',
    },
  },
  'Errors and limits': {
    'handle-429': {
      title: 'Handle 429',
      summary: 'Wait as long as the response says, and test that your program does.',
      keywords: 'too many requests throttled backoff',
    },
    'find-out-why-a-request-was-refused': {
      title: 'Find out why a request was refused',
      summary: 'Look up the real reason for a 401, 403 or 404 by its correlation ID.',
      keywords: 'refused denied debug troubleshoot rejected app why went wrong failed',
    },
    'set-timeouts': {
      title: 'Set timeouts',
      summary: 'How long to wait for a response, and what to do then.',
      keywords: 'timeout slow hang latency deadline time limit',
    },
  },
  'API keys': {
    'get-a-sandbox-key': {
      title: 'Get a sandbox key',
      summary: 'Sign up, request a key and claim it.',
      keywords: 'api key request create new claim',
    },
    'check-a-key': {
      title: 'Check what a key may do',
      summary: 'Read a key’s practice, level, limits and expiry in one request.',
      keywords: 'context expiry expires level permissions which practice',
    },
    'rotate-a-key': {
      title: 'Rotate a key without downtime',
      summary: 'Replace an API key while the old one still works.',
      keywords: 'replace renew roll swap',
    },
    'revoke-a-key': {
      title: 'Revoke a key',
      summary: 'Stop a key that leaked or is no longer used.',
      keywords: 'delete remove disable cancel leaked stolen end',
    },
    'bind-a-key-to-networks': {
      title: 'Bind a key to your networks',
      summary: 'Let a key work from your own addresses only.',
      keywords: 'ip allowlist whitelist address restrict firewall',
    },
  },
  'Test in the sandbox': {
    'inject-an-error': {
      title: 'Inject an error',
      summary: 'Make the sandbox fail, for one request or for a while.',
      keywords: 'simulate fault failure chaos 500 503 test make server return error',
    },
    'simulate-a-launch': {
      title: 'Simulate a launch from an EHR',
      summary: 'Open your app from a chart, without an EHR.',
      keywords: 'ehr launch simulator test clinician chart',
    },
    'count-the-sandbox-patients': {
      title: 'Count the sandbox patients',
      summary: 'Find out how many patients there are, and which to test with.',
      keywords: 'how many number of patients total size',
    },
    'reset-the-sandbox': {
      title: 'Reset the sandbox',
      summary: 'Return to the sample data, or to a snapshot you saved.',
      keywords: 'restore snapshot clean fresh data seed',
    },
    'use-a-staging-environment': {
      title: 'Use a staging environment',
      summary: 'Fit your development, staging and production to our two environments.',
      keywords: 'stage development test environment qa uat',
    },
  },
  'Go live': {
    'find-a-practice': {
      title: 'Find a practice’s FHIR base',
      summary: 'Look a practice up in the directory, or read the directory from a program.',
      keywords: 'directory endpoint url address base which practices',
    },
    'request-a-production-key': {
      title: 'Request a production key',
      summary: 'Agree with a practice, sign, and claim a key for its records.',
      keywords: 'live key real patients apply',
    },
    'watch-the-status': {
      title: 'Watch the status',
      summary: 'Find out whether a problem is on our side or on yours.',
      keywords: 'uptime monitor health outage down',
    },
  },
  'For practices': {
    'answer-a-request-for-a-key': {
      title: 'Answer a request for a key',
      summary: 'Confirm, decline or report a company’s request for access to your records.',
      keywords: 'approve sponsor decline confirm practice manager',
    },
    'let-a-backend-system-in': {
      title: 'Let a backend system in',
      summary: 'Grant or revoke access for a program that reads all patients.',
      keywords: 'approve authorize allow system bulk practice manager',
    },
    'stop-a-key': {
      title: 'Stop a key',
      summary: 'Suspend or end a company’s access to your records, or stop all access.',
      keywords: 'suspend block revoke disable access practice manager stop everything app resume',
    },
    'see-what-keys-do': {
      title: 'See what keys and apps do',
      summary: 'Calls, patients and networks of each key, alerts and the annual review.',
      keywords: 'usage statistics alert unusual report month review access unused network',
    },
    'withhold-a-patient': {
      title: 'Withhold a patient',
      summary: 'Hide a patient from every key, app and backend system.',
      keywords: 'hide exclude block patient opt out no further access restriction',
    },
    'read-the-access-record': {
      title: 'Read the access record',
      summary: 'See who read or changed which record, and download it.',
      keywords: 'audit log who looked accessed',
    },
    'account-for-disclosures': {
      title: 'Account for disclosures',
      summary: 'List who received a patient’s records, as PDF or CSV.',
      keywords: 'accounting of disclosures hipaa 164.528 patient asks who received records',
    },
  },
  'For reviewers': {
    'review-a-registration': {
      title: 'Review a registration',
      summary: 'Check a registration from the queue, and decide on it.',
      keywords: 'approve reject app registration reviewer',
    },
  },
} as const satisfies Record<string, Record<string, HowToText>>

interface HowToText {
  readonly title: string
  /** One sentence, for lists, search engines and language models. */
  readonly summary: string
  /** What else readers call it; searched, never shown. */
  readonly keywords: string
}

type Group = keyof typeof tasks
type Name = { [Each in Group]: keyof (typeof tasks)[Each] }[Group]

interface HowTo extends HowToText {
  readonly slug: `how-to/${Name}`
  readonly group: Group
}

export const howTos = Object.entries(tasks).flatMap(([group, pages]) =>
  Object.entries(pages).map(([name, text]) => ({ ...text, slug: `how-to/${name}`, group })),
) as readonly HowTo[]

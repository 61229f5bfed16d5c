import type { AppAudience } from '../../../server/contract/workflows/registration-form.ts'
import { howTos } from './how-tos.ts'

/** A guide is `docs/<slug>.mdx`, at `/docs/<slug>`. */
interface GuideRow {
  readonly slug: string
  readonly title: string
  /** One sentence, for lists, search engines and language models. */
  readonly summary: string
  readonly group: GuideGroup
  /** For a guide that builds an app: its kind. */
  readonly audience?: AppAudience
}

/** The four kinds of documentation (https://diataxis.fr), and the groups of each in the order of the navigation. */
export const guideKinds = [
  { kind: 'Tutorials', groups: ['Tutorials'] },
  {
    kind: 'How-tos',
    groups: [
      'Tokens and sign-in',
      'Read records',
      'Write records',
      'Errors and limits',
      'API keys',
      'Test in the sandbox',
      'Go live',
      'For practices',
      'For reviewers',
    ],
  },
  { kind: 'Reference', groups: ['Interfaces', 'Rules', 'Sandbox', 'Terms and changes'] },
  { kind: 'Explanation', groups: ['Explanation'] },
] as const

type GuideKind = (typeof guideKinds)[number]['kind']
export type GuideGroup = (typeof guideKinds)[number]['groups'][number]

export const guideGroups: readonly GuideGroup[] = guideKinds.flatMap(({ groups }) => groups)

export function kindOf(group: GuideGroup): GuideKind {
  const found = guideKinds.find(({ groups }) => groups.some((each) => each === group))
  if (!found) throw new Error(`no kind of documentation has the group ${group}`)
  return found.kind
}

export const guides = [
  {
    slug: 'start',
    title: 'Two minutes to a first call',
    summary: 'Get a REST key or a SMART token, and read a synthetic chart.',
    group: 'Tutorials',
  },
  {
    slug: 'patient-app',
    title: 'Build a patient app in 10 minutes',
    summary:
      'Create an app in your sandbox, let a test patient allow it, read a chart and refresh the token.',
    group: 'Tutorials',
    audience: 'patient',
  },
  {
    slug: 'ehr-launch',
    title: 'Launch from the EHR',
    summary: 'Let a clinician open your app from a chart. The launch simulator plays the EHR.',
    group: 'Tutorials',
    audience: 'clinician',
  },
  {
    slug: 'backend',
    title: 'Backend and bulk',
    summary: 'Build a system that exports a whole practice, and afterwards only what changed.',
    group: 'Tutorials',
    audience: 'backend',
  },
  ...howTos,
  {
    slug: 'production',
    title: 'Move to production',
    summary: 'The two tracks to production: a FHIR app, or a production REST key.',
    group: 'Go live',
  },
  {
    slug: 'rest',
    title: 'REST API',
    summary: 'Patients, providers, encounters and documents as JSON, with an API key.',
    group: 'Interfaces',
  },
  {
    slug: 'mcp',
    title: 'MCP server',
    summary: 'The records of one practice as tools for AI assistants, with an API key.',
    group: 'Interfaces',
  },
  {
    slug: 'client',
    title: 'TypeScript client',
    summary: 'A typed client of the REST API, generated from the OpenAPI document.',
    group: 'Interfaces',
  },
  {
    slug: 'fhir',
    title: 'FHIR API',
    summary: 'Read and search patients’ records as FHIR R4 with US Core 6.1.0.',
    group: 'Interfaces',
  },
  {
    slug: 'smart',
    title: 'SMART app launch',
    summary: 'How an app gets an access token from a patient, a clinician or a practice.',
    group: 'Interfaces',
  },
  {
    slug: 'bulk',
    title: 'Bulk Data',
    summary: 'Export a whole practice as NDJSON, and afterwards only what changed.',
    group: 'Interfaces',
  },
  {
    slug: 'status',
    title: 'Status API',
    summary: 'Check whether the platform or a practice is up, without a credential.',
    group: 'Interfaces',
  },
  {
    slug: 'authentication',
    title: 'Authentication',
    summary: 'API keys for REST and MCP, SMART tokens for FHIR and Bulk Data, no credential for status.',
    group: 'Rules',
  },
  {
    slug: 'scopes',
    title: 'Scopes',
    summary: 'What an app may read: syntax, narrowed scopes and launch scopes.',
    group: 'Rules',
  },
  {
    slug: 'limits',
    title: 'Limits',
    summary: 'Rate limits and sizes for every interface, and what to do when you reach one.',
    group: 'Rules',
  },
  {
    slug: 'paging',
    title: 'Paging',
    summary: 'How to read long lists with REST and with FHIR.',
    group: 'Rules',
  },
  {
    slug: 'errors',
    title: 'Errors',
    summary: 'Every code of every interface, what it means and what to do.',
    group: 'Rules',
  },
  {
    slug: 'checklist',
    title: 'Checklist for clients',
    summary: 'Everything your client must do, in one list.',
    group: 'Rules',
  },
  {
    slug: 'sandbox-people',
    title: 'Sandbox people',
    summary: 'The synthetic people that never change, their IDs, and what to test with each.',
    group: 'Sandbox',
  },
  {
    slug: 'sandbox-lab',
    title: 'The sandbox as a laboratory',
    summary: 'Inject errors, simulate launches, and make exports slow or incomplete.',
    group: 'Sandbox',
  },
  {
    slug: 'glossary',
    title: 'Glossary',
    summary: 'The terms we use in the guides, the portal and our emails.',
    group: 'Terms and changes',
  },
  {
    slug: 'architecture',
    title: 'Architecture',
    summary: 'Four interfaces, shared layers and one database, in a picture.',
    group: 'Explanation',
  },
  {
    slug: 'sandbox',
    title: 'How the sandbox works',
    summary: 'A practice of your own, the same rules as in production, and what differs.',
    group: 'Explanation',
  },
  {
    slug: 'identity',
    title: 'Accounts, members and sign-in',
    summary: 'How accounts, organizations and programs differ, and who needs two-step sign-in.',
    group: 'Explanation',
  },
  {
    slug: 'agreements',
    title: 'Agreements',
    summary: 'Who signs what, when, and why.',
    group: 'Explanation',
  },
  {
    slug: 'privacy',
    title: 'Patient privacy, and why 404',
    summary: 'What the APIs don’t reveal, what patients decide, and what is recorded.',
    group: 'Explanation',
  },
  {
    slug: 'security',
    title: 'Security',
    summary: 'How to protect keys and tokens, what we record, and what to do after a leak.',
    group: 'Explanation',
  },
  {
    slug: 'versioning',
    title: 'Versions and deprecation',
    summary: 'What may change and when, how long the notice is, and what the headers mean.',
    group: 'Explanation',
  },
  {
    slug: 'faq',
    title: 'Questions and answers',
    summary: 'Short answers to common questions.',
    group: 'Explanation',
  },
] as const satisfies readonly GuideRow[]

export type GuideSlug = (typeof guides)[number]['slug']

export function isGuideSlug(text: string): text is GuideSlug {
  return guides.some(({ slug }) => slug === text)
}

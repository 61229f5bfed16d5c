import type { AppAudience } from '../../../server/contract/workflows/registration-form.ts'

/** The parts of the documentation: four for developers, and the manuals of practices and reviewers. */
export const doors = [
  'Start',
  'Build an app',
  'Use the APIs',
  'Go live',
  'For practices',
  'For reviewers',
] as const

export type Door = (typeof doors)[number]

/** A guide is `docs/<slug>.mdx`, at `/docs/<slug>`. A part of the documentation has eight at most. */
interface GuideRow {
  readonly slug: string
  readonly title: string
  /** One sentence, for lists, search engines and language models. */
  readonly summary: string
  readonly door: Door
  /** For a guide that builds an app: its kind. */
  readonly audience?: AppAudience
}

// biome-ignore format: a table reads as a table
export const guides = [
  { slug: 'start', title: 'Your first call', summary: 'Get a sandbox key, and read a synthetic patient in two minutes.', door: 'Start' },
  { slug: 'authentication', title: 'Authentication', summary: 'API keys for REST and MCP, SMART tokens for FHIR and Bulk Data, no credential for status.', door: 'Start' },
  { slug: 'keys', title: 'Manage an API key', summary: 'Check, rotate and revoke a key, and bind it to your networks.', door: 'Start' },
  { slug: 'sandbox', title: 'How the sandbox works', summary: 'A practice of your own, the same rules as in production, and how to reset it.', door: 'Start' },
  { slug: 'sandbox-people', title: 'Test people', summary: 'The synthetic people that never change, their IDs, and what to test with each.', door: 'Start' },
  { slug: 'identity', title: 'Accounts, members and sign-in', summary: 'How accounts, organizations and programs differ, and who needs two-step sign-in.', door: 'Start' },
  { slug: 'faq', title: 'Questions and answers', summary: 'Short answers to common questions.', door: 'Start' },
  { slug: 'glossary', title: 'Glossary', summary: 'The terms we use in the guides, the portal and our emails.', door: 'Start' },
  { slug: 'patient-app', title: 'Build a patient app in 10 minutes', summary: 'Create an app in your sandbox, let a test patient allow it, read a chart and refresh the token.', door: 'Build an app', audience: 'patient' },
  { slug: 'ehr-launch', title: 'Launch from the EHR', summary: 'Let a clinician open your app from a chart. The launch simulator plays the EHR.', door: 'Build an app', audience: 'clinician' },
  { slug: 'backend', title: 'Backend and bulk', summary: 'Build a system that exports a whole practice, and afterwards only what changed.', door: 'Build an app', audience: 'backend' },
  { slug: 'smart', title: 'SMART app launch', summary: 'How an app gets an access token from a patient, a clinician or a practice.', door: 'Build an app' },
  { slug: 'scopes', title: 'Scopes', summary: 'What an app may read: syntax, narrowed scopes and launch scopes.', door: 'Build an app' },
  { slug: 'tokens', title: 'Refresh, check and end a token', summary: 'Get the next access token without another sign-in, and sign a person out.', door: 'Build an app' },
  { slug: 'sandbox-lab', title: 'Test errors and launches', summary: 'Inject errors, simulate launches, and make exports slow or incomplete.', door: 'Build an app' },
  { slug: 'rest', title: 'REST API', summary: 'Patients, providers, encounters and documents as JSON, with an API key.', door: 'Use the APIs' },
  { slug: 'fhir', title: 'FHIR API', summary: 'Read and search patients’ records as FHIR R4 with US Core 6.1.0.', door: 'Use the APIs' },
  { slug: 'bulk', title: 'Bulk Data', summary: 'Export a whole practice as NDJSON, and afterwards only what changed.', door: 'Use the APIs' },
  { slug: 'mcp', title: 'MCP server', summary: 'The records of one practice as tools for AI assistants, with an API key.', door: 'Use the APIs' },
  { slug: 'paging', title: 'Search and paging', summary: 'Find a patient, search by date, read long lists, and read only what changed.', door: 'Use the APIs' },
  { slug: 'read', title: 'Read records', summary: 'Lab results, attachments, a patient’s summary, and a whole chart at once.', door: 'Use the APIs' },
  { slug: 'write', title: 'Write records', summary: 'Create patients, register documents, and retry without duplicates.', door: 'Use the APIs' },
  { slug: 'production', title: 'Move to production', summary: 'The two tracks to production: a FHIR app, or a production REST key.', door: 'Go live' },
  { slug: 'checklist', title: 'Checklist for clients', summary: 'Everything your client must do, in one list.', door: 'Go live' },
  { slug: 'errors', title: 'Errors', summary: 'Every code of every interface, what it means and what to do.', door: 'Go live' },
  { slug: 'limits', title: 'Limits', summary: 'Rate limits, sizes and timeouts, and what to do when you reach one.', door: 'Go live' },
  { slug: 'status', title: 'Status API', summary: 'Check whether the platform or a practice is up, without a credential.', door: 'Go live' },
  { slug: 'security', title: 'Security and privacy', summary: 'How to protect keys, tokens and patients’ data, and what we record.', door: 'Go live' },
  { slug: 'agreements', title: 'Agreements', summary: 'Who signs what, when, and why.', door: 'Go live' },
  { slug: 'versioning', title: 'Versions and deprecation', summary: 'What may change and when, how long the notice is, and what the headers mean.', door: 'Go live' },
  { slug: 'practices', title: 'Manual for practices', summary: 'Confirm a request, sign, stop access, and check who read what.', door: 'For practices' },
  { slug: 'reviewers', title: 'Manual for reviewers', summary: 'Work through the queue, read the clocks, and decide.', door: 'For reviewers' },
] as const satisfies readonly GuideRow[]

export type GuideSlug = (typeof guides)[number]['slug']

export function isGuideSlug(text: string): text is GuideSlug {
  return guides.some(({ slug }) => slug === text)
}

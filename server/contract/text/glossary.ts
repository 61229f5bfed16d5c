/** The terms of the documentation, the portal and the emails, each with one meaning. */

interface Term {
  readonly term: string
  readonly meaning: string
  /** The guide that says more, and uses the term. */
  readonly guide: string
}

// biome-ignore format: a table reads as a table
export const glossary: readonly Term[] = [
  { term: 'Access record', meaning: 'A practice’s list of every access to its records: which app or key read which patient’s record, when, and why.', guide: 'security' },
  { term: 'Access token', meaning: 'What an app sends with each FHIR request. It expires after minutes and reads only what its scopes allow.', guide: 'smart' },
  { term: 'API key', meaning: 'The credential of a server that calls the REST API for one practice. It is shown once, and starts with `svc_`.', guide: 'authentication' },
  { term: 'App', meaning: 'Software that an organization registers. It uses the FHIR API with SMART access tokens.', guide: 'smart' },
  { term: 'BAA', meaning: 'Business associate agreement: the contract between a practice and an organization that HIPAA requires before a production key reads records.', guide: 'production' },
  { term: 'Backend system', meaning: 'An app without a person at the keyboard. It signs a JWT to get a token, and a practice allows it.', guide: 'smart' },
  { term: 'Base', meaning: 'The URL that the FHIR requests for one practice begin with.', guide: 'fhir' },
  { term: 'Bulk Data', meaning: 'Export of a whole practice as files of one resource per line.', guide: 'bulk' },
  { term: 'Burst', meaning: 'How many requests a rate limit allows in one second.', guide: 'limits' },
  { term: 'Client ID', meaning: 'The public name of an app at the authorization server. Sandbox and production each have their own.', guide: 'smart' },
  { term: 'Consent', meaning: 'A patient’s decision about what an app may read.', guide: 'sandbox-people' },
  { term: 'Correlation ID', meaning: 'The ID of one request. Quote it when you ask us about that request.', guide: 'errors' },
  { term: 'Grant', meaning: 'What a person or a practice allowed an app to do. Its tokens stop working when it ends.', guide: 'smart' },
  { term: 'Idempotency-Key', meaning: 'The header with an id that your client makes up, so that sending a request twice writes once.', guide: 'rest' },
  { term: 'Incident', meaning: 'A disruption that we describe on the status page until it is over.', guide: 'status' },
  { term: 'Launch from the chart', meaning: 'A clinician opens the app from the patient’s chart, and the app learns which patient it is. Also called EHR launch.', guide: 'smart' },
  { term: 'MCP', meaning: 'Model Context Protocol: how an AI assistant calls the REST operations as tools.', guide: 'mcp' },
  { term: 'NDJSON', meaning: 'A file with one JSON object per line. Bulk Data exports use it.', guide: 'bulk' },
  { term: 'Organization', meaning: 'The company or team that owns keys and apps. Its members have the role of viewer, developer, admin or owner.', guide: 'production' },
  { term: 'PKCE', meaning: 'Proof that the app that redeems an authorization code is the one that requested it. Every app uses it.', guide: 'smart' },
  { term: 'Practice', meaning: 'A medical office with its own records. Keys and tokens reach the records of one practice.', guide: 'authentication' },
  { term: 'Practice console', meaning: 'Where a practice’s admins and signatories see who has access, decide on requests, and stop access.', guide: 'practices' },
  { term: 'Practice ID', meaning: 'The short name of a practice, as in its FHIR base URL and sign-in address.', guide: 'status' },
  { term: 'Production', meaning: 'The environment with records of real patients.', guide: 'production' },
  { term: 'Rate limit', meaning: 'How many requests a caller may send in a second and in a minute.', guide: 'limits' },
  { term: 'Redirect URI', meaning: 'Where the browser goes after sign-in, with the authorization code. It must be registered.', guide: 'smart' },
  { term: 'Refresh token', meaning: 'What an app exchanges for a new access token without asking the person again. Each works once.', guide: 'tokens' },
  { term: 'Registration', meaning: 'The request to let an app read production records. Reviewers decide on it within five business days.', guide: 'production' },
  { term: 'Resource', meaning: 'One FHIR record, such as a Patient or an Observation.', guide: 'fhir' },
  { term: 'Reviewer', meaning: 'One of our staff who decides on registrations and requests for keys.', guide: 'reviewers' },
  { term: 'Rotate', meaning: 'Replace a key with a new one. The old key keeps working for a grace period.', guide: 'keys' },
  { term: 'Sandbox', meaning: 'The environment with synthetic patients only. Each organization has a sandbox practice.', guide: 'sandbox-people' },
  { term: 'Scope', meaning: 'What a token may read, such as `patient/Observation.rs`.', guide: 'scopes' },
  { term: 'SMART app launch', meaning: 'The standard by which apps sign people in and get access tokens for FHIR.', guide: 'smart' },
  { term: 'Sponsor', meaning: 'The practice admin who confirms a production key and can stop it.', guide: 'production' },
  { term: 'Standalone launch', meaning: 'A person opens the app itself, signs in, and chooses a patient.', guide: 'smart' },
  { term: 'Sustained', meaning: 'How many requests a rate limit allows in one minute.', guide: 'limits' },
  { term: 'Synthetic', meaning: 'Made up. No synthetic person exists.', guide: 'sandbox-people' },
  { term: 'Two-step sign-in', meaning: 'Signing in with a password and a code from an authenticator app.', guide: 'identity' },
  { term: 'US Core', meaning: 'The FHIR profiles for the United States. We serve version 6.1.0.', guide: 'fhir' },
  { term: 'Usage agreement', meaning: 'The contract between an organization and us for production keys.', guide: 'production' },
]

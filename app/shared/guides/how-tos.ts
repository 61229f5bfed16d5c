/** Guides to one task each, in the order of the navigation. Each is `docs/<slug>.mdx`. */
interface HowToRow {
  readonly slug: `how-to/${string}`
  readonly title: string
  /** One sentence, for lists, search engines and language models. */
  readonly summary: string
  readonly group: string
  /** What else readers call it; searched, never shown. */
  readonly keywords: string
}

export const howTos = [
  {
    slug: 'how-to/refresh-a-token',
    title: 'Refresh an access token',
    summary: 'Get the next access token without another sign-in.',
    group: 'Tokens and sign-in',
    keywords: 'renew expired token stay signed in',
  },
  {
    slug: 'how-to/ask-for-narrower-scopes',
    title: 'Ask for narrower scopes',
    summary: 'Request less, narrow a type to a category, and get a smaller token when you refresh.',
    group: 'Tokens and sign-in',
    keywords: 'fewer limited minimal permissions least privilege granular',
  },
  {
    slug: 'how-to/page-through-results',
    title: 'Page through results',
    summary: 'Read a long list to its end, with FHIR and with REST.',
    group: 'Read records',
    keywords: 'pagination next page all results loop',
  },
  {
    slug: 'how-to/read-only-what-changed',
    title: 'Read only what changed',
    summary: 'Ask for records that are new since your last run.',
    group: 'Read records',
    keywords: 'sync incremental delta polling updates since last updated',
  },
  {
    slug: 'how-to/read-an-attachment',
    title: 'Read an attachment',
    summary: 'Download a document: letter, report, scan or current summary.',
    group: 'Read records',
    keywords: 'file pdf binary download document content bytes',
  },
  {
    slug: 'how-to/handle-429',
    title: 'Handle 429',
    summary: 'Wait as long as the response says, and test that your program does.',
    group: 'Errors and limits',
    keywords: 'too many requests throttled backoff',
  },
  {
    slug: 'how-to/find-out-why-a-request-was-refused',
    title: 'Find out why a request was refused',
    summary: 'Look up the real reason for a 401, 403 or 404 by its correlation ID.',
    group: 'Errors and limits',
    keywords: 'refused denied debug troubleshoot rejected',
  },
  {
    slug: 'how-to/rotate-a-key',
    title: 'Rotate a key without downtime',
    summary: 'Replace an API key while the old one still works.',
    group: 'API keys',
    keywords: 'replace renew roll swap',
  },
] as const satisfies readonly HowToRow[]

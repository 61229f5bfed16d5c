/** Every page of the portal, who opens it, and the demonstration's records that its URLs name. */
import routes from '../../app/routes.ts'
import { linkPaths, paths } from '../../server/contract/portal/paths.ts'
import { errorCodes } from '../../server/contract/rest/error-codes.ts'
import { operationIds } from '../../server/contract/rest/operations.ts'
import type { Stack } from './stack.ts'

export type Role = 'visitor' | 'developer' | 'practice' | 'reviewer' | 'operations' | 'patient'

export type Visit = Readonly<{ pattern: string; path: string; role: Role; organization: string }>

/** The organization whose lists have rows in the demonstration. A page of a record has the record's organization. */
const shownOrganization = 'larkfield-labs'

/** Patterns of the routes that respond with a page. */
export const pagePatterns = patternsOf(/\.route\.tsx$/)

/** Patterns of the routes that respond with a file, and have no error page. */
export const filePatterns = patternsOf(/\.route\.ts$/)

function patternsOf(files: RegExp): readonly string[] {
  return [...new Set(routes.flatMap((each) => flatten(each, '', files)))].toSorted()
}

function flatten(
  { path, index, file, children = [] }: (typeof routes)[number],
  above: string,
  files: RegExp,
): string[] {
  const fullPath = path ? `${above}/${path}` : above
  const isPage = files.test(file) && (path !== undefined || index === true)
  // A parent with an index is the frame of that page.
  const isFrame = children.some((child) => child.index)
  return [
    ...(isPage && !isFrame ? [fullPath || '/'] : []),
    ...children.flatMap((child) => flatten(child, fullPath, files)),
  ]
}

/** Pages that need more than a visit: an open authorization, a launch. The journey that opens them looks at them with axe. */
export const sweptElsewhere: Readonly<Record<string, string>> = {
  '/authorize/:request': 'authorize-pages.spec.ts',
  '/launch/log/:launch': 'open-launch.spec.ts',
  '/organizations/:organization/sandbox/launch/:launch': 'launch-and-faults.spec.ts',
  // The demonstration has no draft of a request.
  '/organizations/:organization/production-keys/:productionKey/form': 'production-key.spec.ts',
  '/second-step': 'pages.spec.ts',
  // One page for every realm.
  '/practice/second-step': 'second-step.spec.ts',
  '/practice/agreements/:agreement/change': 'agreements.spec.ts',
  '/practice/use/:kind/:subject': 'practice-access.spec.ts',
  '/staff/second-step': 'second-step.spec.ts',
}

/** Pages that say that there is nothing, with the status of an error. */
export const errorPages: ReadonlySet<string> = new Set([
  '/*',
  '/docs/*',
  '/organizations/:organization/*',
  '/practice/*',
  '/staff/*',
  '/find',
  '/developers/domains/verify',
  '/launch/open',
])

/** By pattern: a query whose columns are the path's parameters. The sweep opens one page for each row. */
const records: Readonly<Record<string, string>> = {
  '/organizations/:organization/registrations/:registration': `
    SELECT DISTINCT ON (r.kind, r.state) o.slug organization, r.id registration
      FROM portal.registration r JOIN portal.organization o ON o.id = r.organization_id
     ORDER BY r.kind, r.state, r.id`,
  '/organizations/:organization/registrations/:registration/form': `
    SELECT DISTINCT ON (r.kind, r.state) o.slug organization, r.id registration
      FROM portal.registration r JOIN portal.organization o ON o.id = r.organization_id
     WHERE r.kind IN ('app', 'change') ORDER BY r.kind, r.state, r.id`,
  '/organizations/:organization/registrations/:registration/scopes': `
    SELECT DISTINCT ON (r.state) o.slug organization, r.id registration
      FROM portal.registration r JOIN portal.organization o ON o.id = r.organization_id
     WHERE r.kind = 'app' ORDER BY r.state, r.id`,
  '/staff/registrations/:registration': `
    SELECT DISTINCT ON (kind, state) id registration FROM portal.registration ORDER BY kind, state, id`,
  '/organizations/:organization/production-keys/:productionKey': `
    SELECT DISTINCT ON (r.state) o.slug organization, r.id "productionKey"
      FROM portal.production_key_request r JOIN portal.organization o ON o.id = r.organization_id
     ORDER BY r.state, r.id`,
  '/staff/production-keys/:request':
    'SELECT DISTINCT ON (state) id request FROM portal.production_key_request ORDER BY state, id',
  '/practice/sponsorships/:request': `
    SELECT DISTINCT ON (r.state) r.id request FROM portal.production_key_request r
      JOIN portal.practice p ON p.id = r.practice_id
     WHERE p.slug IN ('harbor-family', 'sandpiper-demonstration') ORDER BY r.state, r.id`,
  '/staff/key-requests/:request':
    'SELECT DISTINCT ON (state) id request FROM portal.sandbox_key_request ORDER BY state, id',
  '/organizations/:organization/keys/requests/:request': `
    SELECT DISTINCT ON (r.state) o.slug organization, r.id request
      FROM portal.sandbox_key_request r JOIN portal.organization o ON o.id = r.organization_id
     ORDER BY r.state, r.id`,
  '/organizations/:organization/agreements/:agreement': `
    SELECT DISTINCT ON (a.kind, a.state) o.slug organization, a.id agreement
      FROM portal.agreement a JOIN portal.organization o ON o.id = a.organization_id
     ORDER BY a.kind, a.state, a.id`,
  '/organizations/:organization/agreements/:agreement/change': `
    SELECT DISTINCT ON (a.kind, a.state) o.slug organization, a.id agreement
      FROM portal.agreement a JOIN portal.organization o ON o.id = a.organization_id
     ORDER BY a.kind, a.state, a.id`,
  '/organizations/:organization/agreements/:agreement/compare': `
    SELECT DISTINCT ON (a.kind, a.state) o.slug organization, a.id agreement
      FROM portal.agreement a JOIN portal.organization o ON o.id = a.organization_id
     ORDER BY a.kind, a.state, a.id`,
  '/practice/agreements/:agreement/compare': `
    SELECT a.id agreement FROM portal.agreement a
      JOIN portal.practice p ON p.id = a.practice_id WHERE p.slug = 'harbor-family' ORDER BY a.id LIMIT 1`,
  '/practice/agreements/:agreement': `
    SELECT DISTINCT ON (a.state) a.id agreement FROM portal.agreement a
      JOIN portal.practice p ON p.id = a.practice_id WHERE p.slug = 'harbor-family' ORDER BY a.state, a.id`,
  '/staff/incidents/:incident': 'SELECT DISTINCT ON (kind, stage) id incident FROM portal.incident',
  '/status/incidents/:incident': 'SELECT DISTINCT ON (kind, stage) id incident FROM portal.incident',
  '/practice/keys/:key/access': `
    SELECT k.id "key" FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
     WHERE p.slug = 'harbor-family' AND NOT k.explorer ORDER BY k.id LIMIT 1`,
  '/staff/practices/:practice':
    'SELECT DISTINCT ON (environment, state) slug practice FROM portal.practice ORDER BY environment, state, slug',
  '/dev/mail/:mail': 'SELECT id mail FROM portal.mailbox_message LIMIT 1',
  '/staff/second-steps/:account': `SELECT id account FROM portal.account WHERE email LIKE 'tomas.testerby@%'`,
  '/practice/second-steps/:account': `SELECT id account FROM portal.account WHERE email LIKE 'iris.mockley@%'`,
  '/organizations/:organization/members/:account/second-step': `
    SELECT 'larkfield-labs' organization, id account FROM portal.account WHERE email LIKE 'milo.mockford@%'`,
}

/** One key in each state that a page tells apart, and one client of each kind. */
const keysByState = `
  SELECT DISTINCT ON (environment, state) organization, "key" FROM (
    SELECT o.slug organization, k.id "key", k.environment, k.id, concat(
             CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at < now() THEN 'expired'
                  WHEN k.suspended_at IS NOT NULL THEN 'suspended' WHEN k.rotated_at IS NOT NULL THEN 'rotated'
                  WHEN k.expires_at < now() + interval '14 days' THEN 'ends soon' ELSE 'active' END,
             k.leaked_at IS NOT NULL) state
      FROM portal.api_key k JOIN portal.organization o ON o.id = k.organization_id WHERE NOT k.explorer) k
   ORDER BY environment, state, id`
const clientsByKind = `
  SELECT DISTINCT ON (c.environment, c.audience, c.authentication, c.suspended_at IS NULL) o.slug organization, c.id client
    FROM portal.client c JOIN portal.organization o ON o.id = c.organization_id
   ORDER BY c.environment, c.audience, c.authentication, c.suspended_at IS NULL, c.id`

/** Parameters whose values do not come from the database. */
const values: Readonly<Record<string, readonly string[]>> = {
  ':operation': operationIds,
  ':code': Object.keys(errorCodes),
  ':template': ['baa', 'usage-agreement'],
  ':patient': ['pt-wren-testwell', 'pt-pip-testwell'],
}

/** Query strings without which a page shows only a refusal. */
const queries: Readonly<Record<string, readonly string[]>> = {
  '/docs/search': ['?q=retry', '?q=nothing-is-called-so'],
  '/directory': ['', '?environment=sandbox&q=nobody-at-all'],
  ...Object.fromEntries([...linkPaths].map((path) => [path, ['?token=cut-off']])),
  '/find': ['?id=nobody-has-this'],
  '/staff/second-steps': ['?email=milo.mockford@larkfield.example', ''],
}

/** Who opens the page. Operators and reviewers share a console, and each has pages that the other may not open. */
function rolesOf(pattern: string): readonly Role[] {
  if (/^\/(?:practice|staff|patient)\/sign-in$|^\/practice\/invitations/.test(pattern)) return ['visitor']
  if (pattern.startsWith('/practice')) return ['practice']
  if (pattern.startsWith('/staff')) return ['reviewer', 'operations']
  if (pattern.startsWith('/patient')) return ['patient']
  if (/^\/(?:confirm-password|organizations|account|inbox|find|developers|second-step)/.test(pattern))
    return ['developer']
  if (/^\/explorer/.test(pattern)) return ['visitor', 'developer']
  return ['visitor']
}

/** The URLs of every pattern that is not swept elsewhere. */
export async function listVisits({ owner, origin }: Pick<Stack, 'owner' | 'origin'>): Promise<Visit[]> {
  const visits: Visit[] = []
  for (const pattern of pagePatterns) {
    if (pattern in sweptElsewhere) continue
    for (const row of await rowsOf(pattern, { owner, origin })) {
      const organization = row.organization ?? shownOrganization
      for (const query of queries[pattern] ?? [''])
        for (const role of rolesOf(pattern))
          visits.push({
            pattern,
            path: `${fill(pattern, { ...row, organization })}${query}`,
            role,
            organization,
          })
    }
  }
  return visits
}

type Row = Readonly<Record<string, string>>

async function rowsOf(
  pattern: string,
  { owner, origin }: Pick<Stack, 'owner' | 'origin'>,
): Promise<readonly Row[]> {
  const sql = records[pattern] ?? organizationRecords(pattern)
  if (sql) return (await owner.query<Row>(sql)).rows
  // The reference is generated from the contract. Its index lists the pages.
  if (pattern === '/docs/reference/*') {
    const index = await (await fetch(`${origin}${paths.reference}`)).text()
    return [
      ...new Set([...index.matchAll(/href="\/docs\/reference\/([^"#?]+)"/g)].map(([, rest = '']) => rest)),
    ].map((rest) => ({ rest }))
  }
  const named = valueName(pattern)
  return named ? (values[named] ?? []).map((value) => ({ [named.slice(1)]: value })) : [{}]
}

const valueName = (pattern: string) => Object.keys(values).find((name) => pattern.split('/').includes(name))

/** Whether the addresses of a pattern can be filled in. */
export const hasRows = (pattern: string): boolean =>
  pattern in sweptElsewhere ||
  (records[pattern] ?? organizationRecords(pattern) ?? valueName(pattern)) !== undefined

function organizationRecords(pattern: string): string | undefined {
  if (!pattern.startsWith('/organizations')) return undefined
  if (pattern.includes('/:key')) return keysByState
  return pattern.includes('/:client') ? clientsByKind : undefined
}

const fill = (pattern: string, row: Row) =>
  pattern
    .replace('/*', `/${row.rest ?? 'no-such-page'}`)
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(row[name] ?? `:${name}`))

/** Pages and actions of the portal that the search and Ctrl K offer. */
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import { docsHome } from '../guides/guide-path.ts'

interface PortalPage {
  readonly to: string
  readonly label: string
  readonly where: string
  /** Other names for the page. */
  readonly keywords: string
  /** `do` for actions, `read` for pages to read. */
  readonly group: 'do' | 'read'
  /** The people who can open the page; without it, everyone. */
  readonly for?: 'visitors' | 'members'
  /** Not a page of the portal: the browser loads it. */
  readonly document?: true
}

// biome-ignore format: a table reads as a table
export const portalPages: readonly PortalPage[] = [
  { to: paths.explorerOperation('listPatients'), label: 'Call the API from here', where: 'Explorer', keywords: 'explorer try console playground send request', group: 'do' },
  { to: paths.keys, label: 'Get a sandbox key', where: 'Keys', keywords: 'api key sign up create request new', group: 'do', for: 'visitors' },
  { to: paths.reportKey, label: 'Report a leaked key', where: 'Keys', keywords: 'leaked compromised stolen exposed', group: 'do' },
  { to: paths.openLaunch, label: 'Launch an app without an account', where: 'Launch', keywords: 'smart launcher launch simulator ehr launch', group: 'do' },
  { to: paths.newOrganization, label: 'Create an organization', where: 'Organizations', keywords: 'company team new', group: 'do', for: 'members' },
  { to: paths.sessions, label: 'End a session', where: 'Account', keywords: 'sign out devices browsers', group: 'do', for: 'members' },
  { to: paths.account, label: 'Change password or theme', where: 'Account', keywords: 'profile dark mode email settings', group: 'do', for: 'members' },
  { to: docsHome, label: 'All guides', where: 'Documentation', keywords: 'docs manual help', group: 'read' },
  { to: paths.sandboxKeys, label: 'How a sandbox key is issued', where: 'Keys', keywords: 'sandbox key how long', group: 'read' },
  { to: errorPage(), label: 'Errors explained', where: 'REST', keywords: 'error codes status codes', group: 'read' },
  { to: paths.mcpGuide, label: 'MCP server', where: 'AI assistants', keywords: 'mcp ai assistant', group: 'read' },
  { to: paths.directory, label: 'Practice directory', where: 'FHIR', keywords: 'endpoints bases practices list', group: 'read' },
  { to: paths.status, label: 'Status', where: 'Service', keywords: 'uptime incidents outage down maintenance', group: 'read' },
  { to: paths.subscribeToStatus, label: 'Get status by email', where: 'Status', keywords: 'subscribe incidents notified notification alert', group: 'do' },
  { to: paths.reference, label: 'API reference', where: 'REST', keywords: 'openapi reference operations schemas', group: 'read' },
  { to: paths.sandboxTerms, label: 'Sandbox terms', where: 'Legal', keywords: 'terms conditions', group: 'read' },
  { to: paths.legal, label: 'Agreement templates', where: 'Legal', keywords: 'baa business associate agreement contract', group: 'read' },
  { to: '/sandbox/api/v1/openapi.json', label: 'OpenAPI document', where: 'REST', keywords: 'openapi swagger specification', group: 'read', document: true },
]

/** The pages that a visitor, or a person who is signed in, can open. */
export function pagesFor(signedIn: boolean): readonly PortalPage[] {
  return portalPages.filter((page) => page.for === undefined || (page.for === 'members') === signedIn)
}

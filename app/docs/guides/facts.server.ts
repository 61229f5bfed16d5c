/** Every table that a guide can show, by the name in `<Facts of="…" />`. */
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { sandboxSignIns } from '../../../server/contract/lab/sandbox-sign-ins.ts'
import { listTools } from '../../../server/contract/mcp/list.ts'
import { trustStatements } from '../../../server/contract/portal/trust.ts'
import { basePaths } from '../../../server/contract/rest/openapi.ts'
import { glossary } from '../../../server/contract/text/glossary.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { guides, isGuideSlug } from '../../shared/guides/list.ts'
import type { Addresses } from './addresses.ts'
import { anchorOf } from './addresses.ts'
import { clientDuties } from './client-duties.ts'
import type { Facts } from './facts.ts'
import {
  componentStatesTable,
  dataClassesTable,
  errorCodesTable,
  keyLife,
  loadTable,
  neverForKeys,
  noticesTable,
  practiceStatusesTable,
  purposesTable,
  restOperations,
  sizesTable,
  statusComponentsTable,
  versionsTable,
  windowsTable,
} from './facts-apis.server.ts'
import { fhirIssues, fhirOperationsTable, fhirTypes, scopeFilters } from './facts-fhir.server.ts'
import { faultsTable, launchFaultsTable, launchKindsTable } from './facts-lab.server.ts'
import { launchScopesTable, lifetimes } from './facts-smart.server.ts'

const tables: Readonly<Record<string, (addresses: Addresses) => Facts>> = {
  addresses: addressesTable,
  'client-duties': dutiesTable,
  'component-states': componentStatesTable,
  components: statusComponentsTable,
  'error-codes': errorCodesTable,
  'fhir-issues': fhirIssues,
  'fhir-operations': fhirOperationsTable,
  'fhir-types': fhirTypes,
  'key-life': keyLife,
  'launch-scopes': launchScopesTable,
  'mcp-tools': mcpToolsTable,
  'never-for-keys': neverForKeys,
  notices: noticesTable,
  faults: faultsTable,
  glossary: glossaryTable,
  'launch-kinds': launchKindsTable,
  load: loadTable,
  'launch-faults': launchFaultsTable,
  'practice-statuses': practiceStatusesTable,
  purposes: purposesTable,
  'data-classes': dataClassesTable,
  'rest-operations': restOperations,
  'sandbox-people': peopleTable,
  'sandbox-sign-ins': signInsTable,
  'scope-filters': scopeFilters,
  sizes: sizesTable,
  'smart-lifetimes': lifetimes,
  trust: trustTable,
  versions: versionsTable,
  windows: () => windowsTable(),
  'windows-fhir': () => windowsTable('fhir'),
  'windows-rest': () => windowsTable('rest'),
  'windows-status': () => windowsTable('status'),
}

/** @throws when no table has this name, so that a guide with a typo is never published */
export function factsOf(name: string, addresses: Addresses): Facts {
  const table = tables[name]
  if (!table) throw new Error(`no table of facts is called ${name}`)
  return table(addresses)
}

function addressesTable({ rest, fhir }: Addresses): Facts {
  return {
    label: 'Addresses',
    heads: ['Interface', 'Address'],
    rows: [
      ['REST, sandbox', `\`${rest}${basePaths.sandbox}\``],
      ['REST, production', `\`${rest}${basePaths.production}\``],
      ['OpenAPI 3.1 document', `\`${rest}${basePaths.sandbox}/openapi.json\``],
      ['FHIR and SMART, one base per practice', `\`${fhir}/r4/{practice}\``],
      ['Practice directory', `\`${fhir}/r4/endpoints\`, of the sandbox \`${fhir}/r4/endpoints/sandbox\``],
      ['Status', `\`${rest}${basePaths.production}/system/status\``],
    ],
  }
}

function peopleTable(): Facts {
  return {
    label: 'Test people',
    heads: ['Patient ID', 'Name and record number', 'Born', 'Use for testing'],
    rows: sandboxPeople.map(({ id, name, mrn, birthDate, purpose }) => [
      `\`${id}\``,
      `${name}, \`${mrn}\``,
      birthDate ?? 'a few days before the sandbox was created',
      purpose,
    ]),
  }
}

function signInsTable(): Facts {
  return {
    label: 'Sign-ins of every sandbox',
    heads: ['Before the @', 'Use it for', 'Acts for, or works as'],
    rows: sandboxSignIns.map((signIn) => [
      `\`${signIn.localPart}\``,
      signIn.purpose,
      signIn.realm === 'patient'
        ? signIn.actsFor.map(({ patientId }) => `\`${patientId}\``).join(', ')
        : signIn.practitionerId
          ? `\`${signIn.practitionerId}\``
          : 'the practice',
    ]),
  }
}

function glossaryTable(): Facts {
  return {
    label: 'Terms',
    heads: ['Term', 'Meaning', 'More'],
    rows: glossary.map(({ term, meaning, guide: slug }) => {
      const guide = guides.find((row) => row.slug === slug)
      if (!guide) throw new Error(`no guide is called ${slug}`)
      return [term, meaning, `[${guide.title}](${guidePath(guide.slug)})`]
    }),
  }
}

function trustTable(): Facts {
  return {
    label: 'Certification and reviews',
    heads: ['Subject', 'Status'],
    rows: trustStatements.map(({ title, text }) => [title, text]),
  }
}

function mcpToolsTable(): Facts {
  return {
    label: 'Tools of the MCP server',
    heads: ['Tool', 'Description', 'Access'],
    rows: listTools({ writes: true }).map(({ name, title, description, annotations }) => [
      `\`${name}\``,
      `${title}. ${description.replaceAll('`', '')}`,
      annotations.readOnlyHint ? 'read' : 'write',
    ]),
  }
}

/** Duties of clients, each with a link to the section that explains it. */
function dutiesTable(): Facts {
  return {
    label: 'Client checklist',
    heads: ['What to do', 'Interface', 'Explained in'],
    rows: clientDuties.map(({ duty, interface: name, guide, section }) => {
      const title = guides.find(({ slug }) => slug === guide)?.title ?? guide
      const path = isGuideSlug(guide) ? guidePath(guide) : `/docs/${guide}`
      return [duty, name, `[${title}](${path}${section === '' ? '' : `#${anchorOf(section)}`})`]
    }),
  }
}

/** Tables about versions and the notice before they change. */
import {
  noticeMonths,
  securityNoticeDays,
  shortNoticeDays,
} from '../../../server/contract/http/deprecation.ts'
import { mcpVersions } from '../../../server/contract/mcp/operation.ts'
import { basePaths } from '../../../server/contract/rest/openapi.ts'
import type { Facts } from './facts.ts'

export const versionsTable = (): Facts => ({
  label: 'Versions',
  heads: ['Interface', 'Version', 'Where it is stated'],
  rows: [
    ['REST API', '`v1`', `the path, \`${basePaths.production}\``],
    ['Status API', '`v1`', `the path, \`${basePaths.production}/system\``],
    ['MCP', mcpVersions.map((version) => `\`${version}\``).join(', '), 'the header `MCP-Protocol-Version`'],
    ['FHIR', 'R4 (4.0.1)', 'the path, `/r4/`, and `fhirVersion` of the CapabilityStatement'],
    ['US Core', '6.1.0', '`instantiates` and the profiles of the CapabilityStatement'],
    ['SMART App Launch', '2.2', '`capabilities` of the discovery document'],
    ['Bulk Data Access', '2.0', '`instantiates` of the CapabilityStatement'],
  ],
})

export const noticesTable = (): Facts => ({
  label: 'Notice periods',
  heads: ['Change', 'Notice'],
  rows: [
    ['An operation, tool, parameter, field or address ends or changes', `${noticeMonths} months`],
    ['A version of REST, FHIR, US Core, SMART or Bulk Data ends', `${noticeMonths} months`],
    ['A protocol version of MCP ends', `${noticeMonths} months`],
    ['A scope or a way of client authentication ends', `${noticeMonths} months`],
    ['A limit gets lower, or a token expires sooner', `${shortNoticeDays} days`],
    ['Simulated faults, launches and other tools of the sandbox', `${shortNoticeDays} days`],
    ['Any of these, to protect records', `${securityNoticeDays} days, with the reason`],
  ],
})

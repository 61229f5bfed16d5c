import { Link } from '@remix-run/react'
import { windowTable } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CircleCheck } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/page-parts.tsx'
import { guidePath } from '../../shared/guides/guide-path.ts'
import type { GuideSlug } from '../../shared/guides/list.ts'

const burst = (row: keyof typeof windowTable) => windowTable[row].windows[0].requests
const sustained = (row: keyof typeof windowTable) => windowTable[row].windows[1].requests

interface Api {
  name: string
  what: string
  route: string
  credential: string
  terms: string
  /** Who can call it today. */
  state: 'Open in the sandbox' | 'Public'
  link: { label: string; about: string; to: string }
  guide: GuideSlug
}

const apis = (restOrigin: string): readonly Api[] => [
  {
    name: 'REST',
    what: 'Patients, providers, encounters and documents as plain JSON, for your server. Reads and writes. The same key works for the MCP server and a patient’s CCD.',
    route: 'GET /patients',
    credential: 'API key on your server',
    terms: `${burst('restKey')} a second per key.`,
    state: 'Open in the sandbox',
    link: { label: 'OpenAPI', about: 'document of REST', to: `${restOrigin}/sandbox/api/v1/openapi.json` },
    guide: 'rest',
  },
  {
    name: 'FHIR R4',
    what: 'One patient’s record, read-only. US Core 6.1, 27 resource types, search and read. Every app draft gets a client ID immediately.',
    route: 'GET /Patient/<id>',
    credential: 'SMART on FHIR token',
    terms: `${burst('fhirPrincipal')} a second per token. No fee.`,
    state: 'Open in the sandbox',
    link: { label: 'Practice base URLs', about: 'of FHIR R4', to: `${paths.directory}?environment=sandbox` },
    guide: 'fhir',
  },
  {
    name: 'Bulk export',
    what: 'A whole practice as NDJSON. Add _since to export only what changed. The practice must allow your system first.',
    route: 'GET /Group/<id>/$export',
    credential: 'SMART Backend Services token',
    terms: 'One export at a time per practice. No fee.',
    state: 'Open in the sandbox',
    link: {
      label: 'Practice base URLs',
      about: 'for Bulk export',
      to: `${paths.directory}?environment=sandbox`,
    },
    guide: 'bulk',
  },
  {
    name: 'Status',
    what: 'Check whether the platform or a practice is up, from any client.',
    route: 'GET /system/status',
    credential: 'No credential',
    terms: `${sustained('statusIp')} a minute. Poll every 30 seconds.`,
    state: 'Public',
    link: { label: 'Status now', about: 'as JSON', to: `${restOrigin}/api/v1/system/status` },
    guide: 'status',
  },
]

/** The APIs with their credentials and limits, and who can call them today. */
export function ApiList({ restOrigin }: { restOrigin: string }) {
  return apis(restOrigin).map((api) => (
    <article className="api" key={api.name}>
      <div className="stack hair">
        <h3>{api.name}</h3>
        <span>
          <Tag tone="ok" icon={CircleCheck} bare>
            {api.state}
          </Tag>
        </span>
      </div>
      <div className="stack hair">
        <p>{api.what}</p>
        <p>
          <code className="muted">{api.route}</code>
        </p>
      </div>
      <div className="small">
        <p>
          <b>{api.credential}</b>
        </p>
        <p className="muted">{api.terms}</p>
      </div>
      <p className="go stack hair">
        <a href={api.link.to}>
          {api.link.label}
          <span className="sr"> {api.link.about}</span>
        </a>
        <Link to={guidePath(api.guide)}>
          Guide<span className="sr"> to {api.name}</span>
        </Link>
      </p>
    </article>
  ))
}

import { CircleCheck, Hammer } from 'lucide-react'
import { windowTable } from '../../../server/contract/limits.ts'
import { Tag } from '../ui/tag.tsx'

const burst = (row: keyof typeof windowTable) => windowTable[row].windows[0].requests
const sustained = (row: keyof typeof windowTable) => windowTable[row].windows[1].requests

const apis = [
  {
    name: 'REST',
    what: 'Patients as plain JSON, for a server of yours. Read one, or search by name, record number and birth date.',
    route: 'GET /patients',
    credential: 'API key on your server',
    terms: `${burst('restKey')} a second per key.`,
    open: true,
  },
  {
    name: 'FHIR R4',
    what: 'One patient’s record, read-only. US Core 6.1, 27 resource types, search and read.',
    route: 'GET /Patient/<id>',
    credential: 'SMART on FHIR token',
    terms: `${burst('fhirPrincipal')} a second per token. No fee.`,
    open: false,
  },
  {
    name: 'Bulk export',
    what: 'A whole practice as NDJSON. Ask with _since and fetch only what changed.',
    route: 'GET /Group/<id>/$export',
    credential: 'SMART Backend Services token',
    terms: 'One export at a time per practice. No fee.',
    open: false,
  },
  {
    name: 'Status',
    what: 'Is the platform up? Is this practice up? Ask from anything.',
    route: 'GET /system/status',
    credential: 'None',
    terms: `${sustained('statusIp')} a minute. Poll every 30 seconds.`,
    open: false,
  },
] as const

/** What the interfaces are, what opens them, and whether they are open yet. */
export function ApiList() {
  return apis.map((api) => (
    <article className="api" key={api.name}>
      <div className="stack hair">
        <h3>{api.name}</h3>
        <span>
          {api.open ? (
            <Tag tone="ok" icon={CircleCheck} bare>
              Open in the sandbox
            </Tag>
          ) : (
            <Tag icon={Hammer} bare>
              Being built
            </Tag>
          )}
        </span>
      </div>
      <div>
        <p>{api.what}</p>
        <code className="muted">{api.route}</code>
      </div>
      <div className="small">
        <p>
          <b>{api.credential}</b>
        </p>
        <p className="muted">{api.terms}</p>
      </div>
      <p className="go">
        {api.open && (
          <a href="/sandbox/api/v1/openapi.json">
            OpenAPI<span className="sr"> document of {api.name}</span>
          </a>
        )}
      </p>
    </article>
  ))
}

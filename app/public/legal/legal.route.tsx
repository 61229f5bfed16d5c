import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { page } from '../../services.server.ts'
import { PublicFrame } from '../../shared/frames/public-frame.tsx'
import { legalTemplates } from './legal-templates.server.ts'

export const meta: MetaFunction = () => [{ title: 'Templates of agreements · Sandpiper' }]

export const loader = page(({ context }: LoaderFunctionArgs) => legalTemplates(context.services))

export default function Legal() {
  const templates = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap legal stack gap-6">
        <div className="page-head">
          <div>
            <h1>Templates of agreements</h1>
            <p>
              Templates for counsel. What is signed is a document of its own, filled with the names and terms
              of its parties, and named by the SHA-256 of its bytes.
            </p>
          </div>
        </div>
        <Card>
          <DataTable label="Templates" heads={['Template', 'Version', 'As a file']} middle>
            {templates.map(({ name, title, version }) => (
              <Row key={name}>
                <Cell>
                  <Link to={paths.legalTemplate(name)}>{title}</Link>
                </Cell>
                <Cell label="Version">{version}</Cell>
                <Cell label="As a file">
                  <a
                    href={`${paths.legalTemplate(name)}/document.pdf`}
                    download
                    aria-label={`PDF of ${title}`}
                  >
                    PDF
                  </a>
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
        <p>
          You have a signed document? <Link to={paths.verifyDocument}>Verify it</Link>.
        </p>
      </div>
    </PublicFrame>
  )
}

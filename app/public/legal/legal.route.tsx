import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { PublicFrame } from '../../shared/frames/public-frame.tsx'

export const meta = () => [{ title: 'Agreement templates · Sandpiper' }]

export const loader = page(({ context }) => context.services.agreementTexts.list())

export default function Legal() {
  const templates = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap legal stack gap-5">
        <div className="page-head">
          <div>
            <h1>Agreement templates</h1>
            <p>
              These are templates for legal review. What you sign is a separate document with the parties’
              names and terms. Its SHA-256 identifies it.
            </p>
          </div>
        </div>
        <Card>
          <DataTable label="Templates" heads={['Template', 'Version', 'File']} middle>
            {templates.map(({ name, title, version }) => (
              <Row key={name}>
                <Cell>
                  <Link to={paths.legalTemplate(name)}>{title}</Link>
                </Cell>
                <Cell label="Version">{version}</Cell>
                <Cell label="File">
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
          Do you have a signed document? <Link to={paths.verifyDocument}>Verify it</Link>.
        </p>
      </div>
    </PublicFrame>
  )
}

import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Button, LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { ArrowRight, Search } from '../../components/ui/icons.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { page } from '../../services.server.ts'
import { operationList } from '../../shared/operations/describe-operation.server.ts'
import type { OperationSummary } from '../../shared/operations/operation.ts'
import { findDeveloper } from '../calls/caller.server.ts'
import { ExplorerNav } from '../explorer-nav.tsx'
import { byTag } from './operation-nav.tsx'

export const meta: MetaFunction = () => [
  { title: 'Explorer · Sandpiper' },
  { name: 'description', content: 'Call the REST API from this page. No key to paste, no code to write.' },
]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const question = (new URL(args.request.url).searchParams.get('q') ?? '').slice(0, 100)
  const words = question.toLowerCase().split(/\s+/).filter(Boolean)
  const operations = operationList.filter(({ operationId, method, path, summary, tag }) => {
    const text = `${operationId} ${method} ${path} ${summary} ${tag}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return { question, operations, signedIn: (await findDeveloper(args)) !== null }
})

export default function Explorer() {
  const { question, operations, signedIn } = useLoaderData<typeof loader>()
  return (
    <div className="ex-page">
      <ExplorerNav />
      <PageHeader
        title="Explorer"
        action={
          <LinkButton look="primary" to={paths.explorerOperation('listPatients')}>
            Make a first call
            <ArrowRight className="i" />
          </LinkButton>
        }
      >
        Call the API and see what each call returns and what gets logged.{' '}
        {signedIn
          ? 'Each call uses a real one-hour key, created for you and kept on our server.'
          : 'No sign-in or key needed: you read the shared demonstration practice. Sign in to get your own sandbox with write access.'}
      </PageHeader>
      <Form className="docs-find ex-find" method="get" role="search" aria-label="Operations">
        <input
          className="input grow"
          type="search"
          name="q"
          aria-label="Search the operations"
          placeholder="patients, create, CCD"
          defaultValue={question}
          maxLength={100}
        />
        <Button type="submit" icon aria-label="Search">
          <Search className="i" />
        </Button>
      </Form>
      {operations.length === 0 && (
        <p>
          No operation contains “{question}”. <Link to={paths.explorer}>Show all operations</Link>.
        </p>
      )}
      {byTag(operations).map(([tag, rows]) => (
        <Card key={tag} label={tag}>
          <div className="head ex-head">
            <h2>{tag}</h2>
          </div>
          <ul className="ex-rows">
            {rows.map((row) => (
              <OperationLine key={row.operationId} {...row} />
            ))}
          </ul>
        </Card>
      ))}
      <Card padded id="ex-elsewhere" title="In your own tools">
        <p className="muted">
          Download the operations as files. The key is a variable, <code>SVC_KEY</code>, that you set
          yourself.
        </p>
        <div className="row">
          <a className="btn" href={paths.explorerPostman} download>
            Postman collection
          </a>
          <a className="btn" href={paths.explorerHttp} download>
            .http file
          </a>
          <a className="btn" href="/sandbox/api/v1/openapi.json">
            OpenAPI 3.1
          </a>
        </div>
      </Card>
    </div>
  )
}

function OperationLine({ operationId, method, path, summary, writes }: OperationSummary) {
  return (
    <li>
      <Link to={paths.explorerOperation(operationId)} prefetch="intent">
        <code>
          <b>{method}</b> {path}
        </code>
        <span>{summary}</span>
      </Link>
      {writes && <Tag tone="teal">full key</Tag>}
    </li>
  )
}

import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { page } from '../../services.server.ts'
import { AgreementPage } from './agreement-page.tsx'
import { legalTemplate } from './legal-templates.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.title ?? 'Template'} · Sandpiper` },
]

export const loader = page(({ context, params }: LoaderFunctionArgs) => {
  const { markdown, ...found } = legalTemplate(context.services, params.template ?? '')
  return { ...found, html: markdownToHtml(markdown) }
})

export default function LegalTemplate() {
  const { name, version, sha256, html } = useLoaderData<typeof loader>()
  return (
    <AgreementPage
      version={version}
      sha256={sha256}
      html={html}
      note={
        <>
          The hash is of the template before its fields are filled in.{' '}
          <a href={`${paths.legalTemplate(name)}/document.pdf`} download>
            Download as PDF
          </a>
        </>
      }
    />
  )
}

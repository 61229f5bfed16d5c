import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { page } from '../../services.server.ts'
import { AgreementPage } from './agreement-page.tsx'

export const meta: MetaFunction = () => [{ title: 'Sandbox terms · Sandpiper' }]

export const loader = page(({ context }: LoaderFunctionArgs) => {
  const { version, sha256, markdown } = context.services.agreementTexts.get('sandbox-terms')
  return { version, sha256, html: markdownToHtml(markdown) }
})

export default function SandboxTerms() {
  return (
    <AgreementPage
      {...useLoaderData<typeof loader>()}
      note="Your acceptance refers to this version and its hash."
    />
  )
}

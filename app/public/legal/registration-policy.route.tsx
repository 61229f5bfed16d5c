import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { page } from '../../services.server.ts'
import { AgreementPage } from './agreement-page.tsx'

export const meta: MetaFunction = () => [{ title: 'Registration policy · Sandpiper' }]

export const loader = page(({ context }: LoaderFunctionArgs) => {
  const { version, sha256, markdown } = context.services.registrationTexts.policy()
  return { version, sha256, html: markdownToHtml(markdown) }
})

export default function RegistrationPolicy() {
  return (
    <AgreementPage {...useLoaderData<typeof loader>()} note="The policy for handling every registration." />
  )
}

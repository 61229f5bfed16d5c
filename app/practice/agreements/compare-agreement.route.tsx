import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { compareLoader } from '../../shared/agreements/compare-agreement.server.ts'
import { CompareAgreement } from '../../shared/agreements/compare-agreement.tsx'

export const meta: MetaFunction = () => [{ title: 'Compare versions · Sandpiper' }]

export const loader = compareLoader('practice')

export default function CompareAgreementPage() {
  const of = useLoaderData<typeof loader>()
  return <CompareAgreement of={of} />
}

import { Link } from '@remix-run/react'
import { ShieldCheck } from 'lucide-react'
import { paths } from '../../server/contract/portal/paths.ts'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'

/** In place of a page that is for those who answer for a practice. */
export function ForDeciders({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title}>You are signed in for your practice.</PageHeader>
      <EmptyState icon={ShieldCheck} title="This page is for admins and signatories">
        Ask an admin of your practice if you need it. Apps you allowed are under{' '}
        <Link to={paths.practiceApps}>Apps you allowed</Link>.
      </EmptyState>
    </>
  )
}

import { Link } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { ShieldCheck } from '../components/ui/icons.ts'
import { EmptyState, PageHeader } from '../components/ui/page-parts.tsx'

/** Replaces a page that only admins and signatories of a practice may open. */
export function ForDeciders({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title}>You are signed in, but you can’t open this page.</PageHeader>
      <EmptyState icon={ShieldCheck} title="This page is for admins and signatories">
        If you need it, ask an admin of your practice. You find the apps you allowed under{' '}
        <Link to={paths.practiceApps}>Apps you allowed</Link>.
      </EmptyState>
    </>
  )
}

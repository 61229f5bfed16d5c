import { FlaskConical } from '../../components/ui/icons.ts'
import { PageHeader, Tabs, Tag } from '../../components/ui/page-parts.tsx'

interface OwnPracticeHeaderProps {
  title: string
  practice: { name: string; slug: string }
  to: { console: string; stops: string; audit: string }
  here: 'console' | 'stops' | 'audit'
}

/** Says on every page of the console that it is the sandbox, and whose. */
export function OwnPracticeHeader({ title, practice, to, here }: OwnPracticeHeaderProps) {
  return (
    <>
      <PageHeader title={title}>
        <Tag tone="teal" icon={FlaskConical}>
          Sandbox
        </Tag>{' '}
        {practice.name}. Synthetic people only. Changes here never affect a production practice and are logged
        under your name.
      </PageHeader>
      <Tabs
        label="Practice console of the sandbox"
        tabs={[
          { to: to.console, label: 'Apps and FHIR access', current: here === 'console' },
          { to: to.stops, label: 'Stop access', current: here === 'stops' },
          { to: to.audit, label: 'Access record', current: here === 'audit' },
        ]}
      />
    </>
  )
}

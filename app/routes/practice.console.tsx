import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { ShieldCheck } from 'lucide-react'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { getSession, page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Practice · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account, expiresAt } = await getSession(args, 'practice')
  return { account: { name: account.name, email: account.email }, expiresAt }
})

export default function PracticeConsole() {
  const { account, expiresAt } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHead title="What can reach us">
        You are signed in for your practice. This session ends on <Moment at={expiresAt} />.
      </PageHead>
      <Empty icon={ShieldCheck} title="No key can reach you yet">
        Developers ask a practice to sponsor a production key. That is not open yet; when it is, requests to
        confirm will be listed here. Programs that ask for your data without a person are under “Backend
        systems”.
      </Empty>
    </ConsoleFrame>
  )
}

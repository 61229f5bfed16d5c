import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { ShieldCheck } from 'lucide-react'
import { paths } from '../../server/contract/paths.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { SecondStepBanner } from '../components/records/second-step-banner.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { getSession, page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Practice · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account, accountId, expiresAt, secondFactor } = await getSession(args, 'practice')
  const { recoveryCodesLeft } = await args.context.services.secondFactors.find(accountId)
  return {
    account: { name: account.name, email: account.email },
    expiresAt,
    secondStep: secondFactor,
    recoveryCodesLeft,
  }
})

export default function PracticeConsole() {
  const { account, expiresAt, secondStep, recoveryCodesLeft } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHead title="What can reach us">
        You are signed in for your practice. This session ends on <Moment at={expiresAt} />.
      </PageHead>
      <SecondStepBanner
        state={secondStep}
        recoveryCodesLeft={recoveryCodesLeft}
        recoveryCodes={paths.practiceRecoveryCodes}
        others="Admins and signatories of their own"
      />
      <Empty icon={ShieldCheck} title="No key can reach you yet">
        Developers ask a practice to sponsor a production key. That is not open yet; when it is, requests to
        confirm will be listed here. Programs that ask for your data without a person are under “Backend
        systems”.
      </Empty>
    </ConsoleFrame>
  )
}

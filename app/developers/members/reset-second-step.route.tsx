import { useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization, type PageArgs, page } from '../../services.server.ts'
import { loadReset, resetMfa } from '../../shared/sign-in/reset-mfa.server.ts'
import { ResetMfa } from '../../shared/sign-in/reset-mfa.tsx'

export const meta = () => [{ title: 'Reset two-step sign-in · Sandpiper' }]
export const handle = { here: 'Organization / Members / Two-step sign-in' }

/** A member of this very organization, whatever else the reader has a say in. */
async function getMember(args: PageArgs) {
  const { organization, session, mine } = await getOrganization(args)
  const { members } = await args.context.services.organizations.get(mine)
  if (!members.some(({ accountId }) => accountId === args.params.account)) throw data(null, { status: 404 })
  return { session, back: paths.organizationMembers(organization.slug) }
}

export const loader = page(async (args) => {
  const { session, back } = await getMember(args)
  return { back, ...(await loadReset(args, session)) }
})

export const action = page(async (args) => {
  const { session, back } = await getMember(args)
  return resetMfa(args, session, back)
})

export default function ResetMemberMfa() {
  const { back, person, stepUp } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <ResetMfa person={person} stepUp={stepUp} back={back} />
    </div>
  )
}

import { useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { networksForm } from '../../../server/contract/forms/keys.ts'
import { networksMax } from '../../../server/contract/http/networks.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, TextArea } from '../../components/ui/form.tsx'
import { PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page, requireStepUp } from '../../services.server.ts'
import { getKey } from './keys.server.ts'

export const meta = () => [{ title: 'Key networks · Sandpiper' }]
export const handle = { here: 'Keys / Networks' }

export const loader = page(async (args) => {
  const { key, session, organization } = await getKey(args)
  if (!key.mayRevoke) throw data({ message: undefined }, { status: 403 })
  // Allowing more networks requires a fresh password, so it comes before the person fills in the form.
  if (key.environment === 'production' && key.allowedNetworks.length > 0) requireStepUp(args, session)
  return {
    self: paths.organizationKey(organization.slug, key.id),
    name: key.name,
    networks: key.allowedNetworks,
    here: args.context.clientIp,
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  return runForm(args.request, networksForm, async (value) => {
    const keyId = args.params.key ?? ''
    await args.context.services.keys.setNetworks({ keyId, networks: value.networks }, actor)
    return goOn(paths.organizationKey(organization.slug, keyId), 'key_networks_changed')
  })
})

const labels = { networks: 'Networks' }

export default function KeyNetworks() {
  const { self, name, networks, here } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader title={`Networks of “${name}”`}>
        Calls from any other network get the same 401 response as a wrong key, from the next request. The
        key’s activity shows the reason.
      </PageHeader>
      <ContractForm
        optional={['networks']}
        labels={labels}
        defaultValue={{ networks: networks.join('\n') }}
        button="Save networks"
        busy="Saving"
        cancel={self}
      >
        <TextArea
          name="networks"
          rows={6}
          hint={`One per line: 203.0.113.0/24, 2001:db8::/32, or a single address. At most ${networksMax}. Leave empty to allow any network. Your address is ${here}. Your server may use a different address.`}
        />
      </ContractForm>
    </div>
  )
}

import { Form, useLoaderData, useNavigate } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { revokeKeyForm, revokeReasonMax } from '../../../server/contract/forms/keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Dialog } from '../../components/ui/dialog.tsx'
import { LinkButton, SubmitButton } from '../../components/ui/page-parts.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { readForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { KeyPrefix } from '../../shared/keys/key-words.tsx'
import { getKey } from './keys.server.ts'

export const meta = () => [{ title: 'Revoke a key · Sandpiper' }]
export const handle = { here: 'Keys' }

export const loader = page(async (args) => {
  const { key, organization } = await getKey(args)
  const list = paths.organizationKeys(organization.slug)
  if (key.state !== 'active' && key.state !== 'suspended') throw redirect(`${list}?show=ended`)
  if (!key.mayRevoke) throw data({ message: undefined }, { status: 403 })
  return { list, name: key.name, prefix: key.prefix, practice: key.practice.name, reasonMax: revokeReasonMax }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const submission = await readForm(args.request, revokeKeyForm)
  // The form's field limits the length, so an invalid reason comes from elsewhere.
  if (submission.status !== 'success') throw data({ message: 'Correct the reason.' }, { status: 400 })
  const revocation = { keyId: args.params.key ?? '', reason: submission.value.reason || undefined }
  const { kind } = await args.context.services.keys.revoke(revocation, actor)
  const cookie = doneCookie(kind === 'revoked' ? 'key_revoked' : 'key_already_ended')
  return redirect(paths.organizationKeys(organization.slug), { headers: { 'set-cookie': cookie } })
})

export default function RevokeKey() {
  const key = useLoaderData<typeof loader>()
  const navigate = useNavigate()
  return (
    <Dialog
      title={`Revoke “${key.name}”?`}
      description={`It stops on its next request and can’t be restored. Anything that uses it loses access to ${key.practice}.`}
      onLeave={() => navigate(key.list, { preventScrollReset: true })}
      footer={
        <>
          <LinkButton to={key.list} preventScrollReset>
            Cancel
          </LinkButton>
          <SubmitButton look="danger" className="filled" form="revoke" busy="Revoking">
            Revoke key
          </SubmitButton>
        </>
      }
    >
      <p>
        <KeyPrefix prefix={key.prefix} />
      </p>
      <Form method="post" id="revoke" className="field">
        <label htmlFor="reason">Reason (optional)</label>
        <input
          className="input"
          id="reason"
          name="reason"
          maxLength={key.reasonMax}
          autoComplete="off"
          aria-describedby="reason-hint"
        />
        <p className="hint" id="reason-hint">
          Stored with the key, and included in the email to the person who created it.
        </p>
      </Form>
    </Dialog>
  )
}

import { useActionData, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { rotateKeyForm } from '../../../server/contract/forms/keys.ts'
import { graceChoices } from '../../../server/contract/keys/key-life.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm } from '../../components/ui/form.tsx'
import { Card, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { runForm } from '../../lib/submission.server.ts'
import { confirmPasswordPath, findKeyStepUp, getOrganization, page } from '../../services.server.ts'
import { KeyPrefix } from '../../shared/keys/key-words.tsx'
import { ConfirmButton } from '../../shared/sign-in/confirm-first.tsx'
import { getKey } from './keys.server.ts'
import { RevealDialog } from './reveal-dialog.tsx'

export const meta = () => [{ title: 'Rotate a key · Sandpiper' }]
export const handle = { here: 'Keys / Rotate' }

export const loader = page(async (args) => {
  const { key, session, organization } = await getKey(args)
  return {
    self: paths.organizationKey(organization.slug, key.id),
    name: key.name,
    prefix: key.prefix,
    mayRotate: key.mayRotate,
    replacesLive: key.replaces?.live ?? false,
    // Rotation needs only the password, for a production key too.
    confirmPassword: findKeyStepUp(args, session, 'sandbox'),
  }
})

export const action = page(async (args) => {
  const { actor } = await getOrganization(args)
  return runForm(args.request, rotateKeyForm, async (value) => {
    const rotation = { keyId: args.params.key ?? '', graceHours: value.graceHours }
    const result = await args.context.services.keys.rotate(rotation, actor)
    if (result.kind === 'step_up_needed') throw redirect(confirmPasswordPath(args))
    return data({ revealed: result }, { headers: { 'cache-control': 'no-store' } })
  })
})

/** No cache may keep the response that contains the key. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function RotateKey() {
  const key = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const revealed = result && 'revealed' in result ? result.revealed : null
  if (revealed) {
    return (
      <div className="page narrow">
        <PageHeader title="Your new key">Save it now. Leaving this page loses it.</PageHeader>
        <RevealDialog revealed={revealed} leaveTo={paths.keys} />
      </div>
    )
  }
  return (
    <div className="page narrow">
      <PageHeader title={`Rotate “${key.name}”`}>
        A new key with the same access replaces it and is shown once. The old key,{' '}
        <KeyPrefix prefix={key.prefix} />, keeps working for the time you choose.
      </PageHeader>
      {key.mayRotate ? (
        <RotateForm self={key.self} confirmPassword={key.confirmPassword} />
      ) : (
        <Card padded>
          <p>
            {key.replacesLive
              ? 'The previous key still works. End its grace period first.'
              : 'You can’t rotate this key. It has expired, was already rotated, or isn’t yours to rotate.'}
          </p>
          <LinkButton to={key.self}>Back to the key</LinkButton>
        </Card>
      )}
    </div>
  )
}

interface RotateFormProps {
  self: string
  confirmPassword: string | null
}

function RotateForm({ self, confirmPassword }: RotateFormProps) {
  return (
    <ContractForm
      labels={{ graceHours: 'Grace period of the old key' }}
      defaultValue={{ graceHours: '24' }}
      button={confirmPassword ? <ConfirmButton to={confirmPassword} /> : 'Rotate and show key'}
      busy="Creating the key"
      cancel={self}
    >
      <Choices
        name="graceHours"
        options={graceChoices.map(({ hours, label, sub }) => ({ value: String(hours), label, sub }))}
      />
    </ContractForm>
  )
}

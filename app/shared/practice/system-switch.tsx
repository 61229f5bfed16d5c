import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/page-parts.tsx'

interface SystemSwitchProps {
  client: { clientId: string; name: string }
  allowed: boolean
}

/** Lets a backend app in at the organization's own sandbox, and shuts it out. */
export function SystemSwitch({ client, allowed }: SystemSwitchProps) {
  return (
    <Form method="post">
      <input type="hidden" name="client" value={client.clientId} />
      <SubmitButton
        name="intent"
        value={allowed ? 'stop' : 'allow'}
        look={allowed ? 'danger' : 'primary'}
        size="sm"
        busy={allowed ? 'Stopping' : 'Allowing'}
      >
        {allowed ? 'Stop' : 'Allow'}
        <span className="sr"> {client.name}</span>
      </SubmitButton>
    </Form>
  )
}

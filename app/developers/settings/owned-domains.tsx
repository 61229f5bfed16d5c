import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Check, Clock } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'

interface OwnedDomainsProps {
  domains: readonly {
    id: string
    domain: string
    mailbox: string
    requestedAt: Date
    verifiedAt: Date | null
  }[]
  mayAsk: boolean
}

/** Domains that are the organization's, shown by a mailbox there; and the way to show another. */
export function OwnedDomains({ domains, mayAsk }: OwnedDomainsProps) {
  return (
    <Card
      id="domains"
      title="Domains"
      aside={<span className="small muted">Reviewers see the confirmed ones.</span>}
    >
      <div className="pad stack">
        {domains.length === 0 && <p className="muted">None yet. A confirmed domain proves who you are.</p>}
        <ul className="list">
          {domains.map(({ id, domain, mailbox, requestedAt, verifiedAt }) => (
            <li key={id} className="finding">
              {verifiedAt ? <Check className="i" /> : <Clock className="i" />}
              <p className="breaks">
                <b>{domain}</b>,{' '}
                {verifiedAt ? (
                  <>
                    confirmed on <Moment at={verifiedAt} as="date" />
                  </>
                ) : (
                  <>
                    link sent to {mailbox} on <Moment at={requestedAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
        {mayAsk && (
          <Form method="post" className="stack read">
            <Field
              name="mailbox"
              id="mailbox"
              label="A mailbox at the domain"
              type="email"
              required
              maxLength={254}
              hint="We email a link there. Anyone who can open it can confirm the domain."
            />
            <div>
              <SubmitButton look="outline" name="intent" value="domain" busy="Sending">
                Send link
              </SubmitButton>
            </div>
          </Form>
        )}
      </div>
    </Card>
  )
}

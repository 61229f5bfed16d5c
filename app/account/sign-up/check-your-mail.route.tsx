import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Mailbox } from '../../components/ui/icons.ts'
import { Card, LinkButton } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Check your email · Sandpiper' }]

/** The same page for every address, known or not. */
export const loader = page(({ context }) => ({
  localMailbox: context.services.mail.mailbox !== undefined && context.services.env.developmentPages,
  mayOpenMailbox: context.mayDevelop,
}))

export default function CheckYourMail() {
  const { localMailbox, mayOpenMailbox } = useLoaderData<typeof loader>()
  return (
    <Gate
      title="Check your email"
      lead="We sent a link to the address you entered. Open it to continue."
      after={
        <p>
          No email? Check your spam folder, or <Link to="/verify-email/again">send it again</Link>.
        </p>
      }
    >
      {localMailbox && (
        <Card padded>
          <p>This installation has no mail server. Its emails go to a mailbox on this machine.</p>
          {mayOpenMailbox ? (
            <div className="row">
              <LinkButton look="primary" to={paths.mailbox}>
                <Mailbox className="i" />
                Open the mailbox
              </LinkButton>
            </div>
          ) : (
            <p>
              To open the mailbox, use the <b>Mail</b> link that <code>npm start</code> printed in the
              terminal.
            </p>
          )}
        </Card>
      )}
    </Gate>
  )
}
